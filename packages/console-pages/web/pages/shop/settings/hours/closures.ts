import { addDays, instantAt, minuteOf, wallTimeAt } from '@corner/page-kit/logic/zones';
import { dayText } from '../../../../logic/format.ts';

export interface Closure {
  readonly starts_at: string;
  readonly ends_at: string;
}

/** Days of the store, both included. `opens` has times on the first and last day; null for whole days. */
export interface ClosedDays {
  readonly from: string;
  readonly to: string;
  readonly opens: { readonly starts: string; readonly ends: string } | null;
}

export function daysOf({ starts_at, ends_at }: Closure, zone: string): ClosedDays {
  const [start, end] = [wallTimeAt(Date.parse(starts_at), zone), wallTimeAt(Date.parse(ends_at), zone)];
  if (start.time === '00:00' && end.time === '00:00' && end.date > start.date)
    return { from: start.date, to: addDays(end.date, -1), opens: null };
  return { from: start.date, to: end.date, opens: { starts: start.time, ends: end.time } };
}

export function closureOf({ from, to, opens }: ClosedDays, zone: string): Closure {
  const iso = (date: string, minutes: number) => new Date(instantAt(date, minutes, zone)).toISOString();
  if (opens === null) return { starts_at: iso(from, 0), ends_at: iso(to, 24 * 60) };
  return { starts_at: iso(from, minuteOf(opens.starts)), ends_at: iso(to, minuteOf(opens.ends)) };
}

const dateText = (date: string): string => dayText(date, 'date', 'en-GB');

export function closureText(closure: Closure, zone: string): string {
  const { from, to, opens } = daysOf(closure, zone);
  if (opens === null) return from === to ? dateText(from) : `${dateText(from)} to ${dateText(to)}`;
  return from === to
    ? `${dateText(from)}, ${opens.starts}–${opens.ends}`
    : `${dateText(from)}, ${opens.starts} to ${dateText(to)}, ${opens.ends}`;
}

export const withoutEnded = (closures: readonly Closure[], now: number): readonly Closure[] =>
  closures.filter(({ ends_at }) => Date.parse(ends_at) > now);

export const inOrder = (closures: readonly Closure[]): readonly Closure[] =>
  closures.toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
