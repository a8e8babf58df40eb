/** One stretch of a week: 1 is Monday; times as HH:MM in the store's zone. Closing before opening runs past midnight. */
export interface Opening {
  readonly day: number;
  readonly opens: string;
  readonly closes: string;
}

const dayMs = 86_400_000;
/** A store that never closes serves over midnight: whoever comes late has at least this long, in milliseconds. */
const overMidnight = 4 * 3_600_000;

/**
 * When the store closes for the day an instant belongs to, in epoch milliseconds: the last of its closing times, so that a
 * lunch break ends no day. Hours after midnight belong to the day before while that day's opening lasts. A store without hours
 * never closes: its day ends at midnight there, or four hours on when that is later. Null on a day without an opening.
 */
export function closingOf(hours: readonly Opening[], timeZone: string, at: number): number | null {
  const today = localDay(timeZone, at);
  if (hours.length === 0) return Math.max(instantOf(timeZone, today + dayMs), at + overMidnight);
  const yesterday = lastClosing(hours, timeZone, today - dayMs);
  return yesterday !== null && at < yesterday ? yesterday : lastClosing(hours, timeZone, today);
}

/** `day` is the local date, as the instant of its midnight were it in UTC. */
function lastClosing(hours: readonly Opening[], timeZone: string, day: number): number | null {
  const weekday = new Date(day).getUTCDay() || 7;
  const closings = hours
    .filter((opening) => opening.day === weekday)
    .map(({ opens, closes }) => instantOf(timeZone, day + (closes > opens ? 0 : dayMs) + millisecondsOf(closes)));
  return closings.length === 0 ? null : Math.max(...closings);
}

function millisecondsOf(time: string): number {
  const [hour, minute] = time.split(':').map(Number) as [number, number];
  return (hour * 60 + minute) * 60_000;
}

const localDay = (timeZone: string, at: number): number => Math.floor((at + offset(timeZone, at)) / dayMs) * dayMs;

/** The instant at which clocks there show a time. Of one shown twice the first; one skipped is as much later as was skipped. */
function instantOf(timeZone: string, shown: number): number {
  const [before, after] = [offset(timeZone, shown - dayMs), offset(timeZone, shown + dayMs)];
  const first = shown - Math.max(before, after);
  const second = shown - Math.min(before, after);
  if (first + offset(timeZone, first) === shown) return first;
  return second + offset(timeZone, second) === shown ? second : shown - before;
}

/** How far clocks there are ahead of UTC at an instant, in milliseconds. */
function offset(timeZone: string, at: number): number {
  const part = Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than all the rest. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const made = clocks.get(timeZone);
  if (made) return made;
  const digits = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, ...digits, hourCycle: 'h23' });
  clocks.set(timeZone, clock);
  return clock;
}
