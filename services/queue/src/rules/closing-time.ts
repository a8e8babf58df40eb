const dayMs = 86_400_000;
/** A store that never closes also serves after midnight: a customer who joins late has at least this long, in milliseconds. */
const minimumUntilDayEnds = 4 * 3_600_000;

/**
 * Returns when the store closes on the day that the instant `at` belongs to, both in epoch milliseconds. It is the day's last closing time,
 * so a lunch break does not end the day. Time after midnight belongs to the day before while that day's opening lasts. A store without
 * hours never closes: its day ends at local midnight, or four hours after `at` when that is later. Returns null on a day without an opening.
 */
export function closingTime(hours: readonly Opening[], timeZone: string, at: number): number | null {
  const today = localDay(timeZone, at);
  if (hours.length === 0) return Math.max(instantOfLocalTime(timeZone, today + dayMs), at + minimumUntilDayEnds);
  const yesterday = lastClosing(hours, timeZone, today - dayMs);
  return yesterday !== null && at < yesterday ? yesterday : lastClosing(hours, timeZone, today);
}

/** `day` is a local date, given as its midnight in UTC. */
function lastClosing(hours: readonly Opening[], timeZone: string, day: number): number | null {
  const weekday = new Date(day).getUTCDay() || 7;
  const closings = hours
    .filter((opening) => opening.day === weekday)
    .map(({ opens, closes }) => instantOfLocalTime(timeZone, day + (closes > opens ? 0 : dayMs) + millisecondsOf(closes)));
  return closings.length === 0 ? null : Math.max(...closings);
}

function millisecondsOf(time: string): number {
  const [hour, minute] = time.split(':').map(Number) as [number, number];
  return (hour * 60 + minute) * 60_000;
}

const localDay = (timeZone: string, at: number): number => Math.floor((at + offset(timeZone, at)) / dayMs) * dayMs;

/**
 * Returns the instant at which local clocks show `localTime` (given as if it were UTC). When the clocks show it twice, the first instant
 * counts; when they skip it, the instant is later by the time that the clocks skip.
 */
function instantOfLocalTime(timeZone: string, localTime: number): number {
  const [dayBefore, dayAfter] = [offset(timeZone, localTime - dayMs), offset(timeZone, localTime + dayMs)];
  const first = localTime - Math.max(dayBefore, dayAfter);
  const second = localTime - Math.min(dayBefore, dayAfter);
  if (first + offset(timeZone, first) === localTime) return first;
  return second + offset(timeZone, second) === localTime ? second : localTime - dayBefore;
}

/** Returns how far local clocks are ahead of UTC at an instant, in milliseconds. */
function offset(timeZone: string, at: number): number {
  const parts = Object.fromEntries(
    formatterFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are kept because making one takes longer than all the rest of the work. */
function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const kept = formatters.get(timeZone);
  if (kept) return kept;
  const digits = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const formatter = new Intl.DateTimeFormat('en-GB', { timeZone, ...digits, hourCycle: 'h23' });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** One opening of the week. `day` 1 is Monday; times are HH:MM in the store's zone. A closing time before the opening time is on the next day. */
export interface Opening {
  readonly day: number;
  readonly opens: string;
  readonly closes: string;
}
