import type { Chair, Floor, Occupied, Span } from './floor.ts';

/** How much longer a customer who overruns is expected to need, in milliseconds. */
const expectedOverrun = 5 * 60_000;

/** Returns the free time of each chair from now on, in the order of the chairs; the gaps of a chair are in order of time. */
export function freeGaps({ now, chairs, occupied }: Floor): Span[][] {
  const byChair = Map.groupBy(occupied, ({ chairId }) => chairId);
  return chairs.map((chair) => gapsOf(chair, byChair.get(chair.id) ?? [], now));
}

function gapsOf({ shifts, breaks }: Chair, occupied: readonly Occupied[], now: number): Span[] {
  const busy = [...breaks, ...occupied.map(({ from, to, started }) => ({ from, to: started ? Math.max(to, now + expectedOverrun) : to }))]
    .filter(({ to }) => to > now)
    .sort((a, b) => a.from - b.from);
  return merge(shifts).flatMap((shift) => subtract({ from: Math.max(shift.from, now), to: shift.to }, busy));
}

/** Merges shifts that touch or overlap, because a service may run from one into the next. */
function merge(shifts: readonly Span[]): Span[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of shifts.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Returns the parts of a span that are not busy. `busy` is sorted by `from` and may overlap. */
function subtract({ from, to }: Span, busy: readonly Span[]): Span[] {
  const gaps: Span[] = [];
  let free = from;
  for (const span of busy) {
    if (span.from > free) gaps.push({ from: free, to: Math.min(span.from, to) });
    free = Math.max(free, span.to);
    if (free >= to) break;
  }
  gaps.push({ from: free, to });
  return gaps.filter((gap) => gap.from < gap.to);
}
