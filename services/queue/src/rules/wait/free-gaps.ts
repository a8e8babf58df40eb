import type { Chair, Floor, Span, Taken } from './floor.ts';

const minute = 60_000;
/** How long somebody who overruns is thought to need yet. */
const overrun = 5 * minute;

/** The time each chair has free from now on, in the order of the chairs, each chair's earliest first. */
export function freeGaps({ now, chairs, taken }: Floor): Span[][] {
  const byChair = Map.groupBy(taken, ({ chairId }) => chairId);
  return chairs.map((chair) => gapsOf(chair, byChair.get(chair.id) ?? [], now));
}

function gapsOf({ shifts, breaks }: Chair, taken: readonly Taken[], now: number): Span[] {
  const busy = [...breaks, ...taken.map(({ from, to, started }) => ({ from, to: started ? Math.max(to, now + overrun) : to }))]
    .filter(({ to }) => to > now)
    .sort((a, b) => a.from - b.from);
  return joined(shifts).flatMap((shift) => without({ from: Math.max(shift.from, now), to: shift.to }, busy));
}

/** Shifts that touch or overlap are one: a service may run across the seam. */
function joined(shifts: readonly Span[]): Span[] {
  const whole: { from: number; to: number }[] = [];
  for (const { from, to } of shifts.toSorted((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else whole.push({ from, to });
  }
  return whole;
}

/** What is left of a span beside what is busy, which comes in order and may overlap. */
function without({ from, to }: Span, busy: readonly Span[]): Span[] {
  const left: Span[] = [];
  let free = from;
  for (const one of busy) {
    if (one.from > free) left.push({ from: free, to: Math.min(one.from, to) });
    free = Math.max(free, one.to);
    if (free >= to) break;
  }
  left.push({ from: free, to });
  return left.filter((gap) => gap.from < gap.to);
}
