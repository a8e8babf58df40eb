/** A weekly opening interval. Day 1 is Monday; times are HH:MM in the store's zone. */
export interface Opening {
  readonly day: number;
  readonly opens: string;
  readonly closes: string;
}

/** Formats the day of the week and the time in a zone. */
const dayAndTimeIn = keptByZone({ weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/**
 * Returns whether a store is open at an instant. Without any hours it is always open. An interval that closes before it opens runs past
 * midnight.
 */
export function isOpen(hours: readonly Opening[], timeZone: string, at: Date): boolean {
  if (hours.length === 0) return true;
  const parts = dayAndTimeIn(timeZone).formatToParts(at);
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? '';
  const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(part('weekday')) + 1;
  const time = `${part('hour')}:${part('minute')}`;
  const yesterday = day === 1 ? 7 : day - 1;
  return hours.some(({ day: on, opens, closes }) =>
    closes > opens ? on === day && opens <= time && time < closes : (on === day && opens <= time) || (on === yesterday && time < closes),
  );
}

/** A dated exception to the weekly hours. Instants are ISO 8601; the end is not part of it. */
export interface Closure {
  readonly starts_at: string;
  readonly ends_at: string;
}

/** When a store is closed, whatever its weekly hours. */
export interface Closing {
  readonly time_zone: string;
  readonly closures: readonly Closure[];
}

/** Returns the end of the closures that overlap a span of time, or of those that follow without a gap; null when none overlaps it. */
export function closedUntil(closures: readonly Closure[], from: Date, to: Date = from): Date | null {
  const inOrder = closures.map((one) => [Date.parse(one.starts_at), Date.parse(one.ends_at)] as const).toSorted(([a], [b]) => a - b);
  const until = inOrder.reduce<number | null>((end, [starts, ends]) => {
    if (end !== null) return starts <= end ? Math.max(end, ends) : end;
    const overlaps = ends > from.getTime() && (starts < to.getTime() || starts === from.getTime());
    return overlaps ? ends : null;
  }, null);
  return until === null ? null : new Date(until);
}

/** An instant as the sentences of problems write it: the day and the time at the store. */
export const atStore = (instant: Date, timeZone: string): string => dateAndTimeIn(timeZone).format(instant);

const dateAndTimeIn = keptByZone({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Returns the formatter of a time zone, made once for each zone: making one costs a hundred times as much as using it. */
export function keptByZone(options: Intl.DateTimeFormatOptions): (timeZone: string) => Intl.DateTimeFormat {
  const kept = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    const formatter = kept.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
    kept.set(timeZone, formatter);
    return formatter;
  };
}
