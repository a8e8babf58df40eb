import { dateFormat } from './date-format.ts';

/** The local time of a zone: the date as YYYY-MM-DD, the time of day as HH:MM. */
export interface WallTime {
  readonly date: string;
  readonly time: string;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** The local time of a zone, as the milliseconds at which UTC shows the same. */
function clockAt(at: number, zone: string): number {
  const parts = Object.fromEntries(
    dateFormat('en-US', { ...fields, hourCycle: 'h23', timeZone: zone })
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns the local time of a zone at an instant in milliseconds. */
export function wallTimeAt(at: number, zone: string): WallTime {
  const [date = '', time = ''] = new Date(clockAt(at, zone)).toISOString().split('T');
  return { date, time: time.slice(0, 5) };
}

/** Minutes since midnight of a time of day; NaN for any other text. */
export const minuteOf = (time: string): number =>
  /^\d\d:\d\d/.test(time) ? Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)) : Number.NaN;

/** The time of day after so many minutes since midnight, which may be more than a day. */
export const timeOf = (minutes: number): string => new Date(minutes * minuteMs).toISOString().slice(11, 16);

/**
 * Returns the instant, in milliseconds, at which a zone's clock shows so many minutes after the midnight of a date; 1440 is the next
 * midnight. Of a time that the clock shows twice it is the first; a skipped time is moved later by the skipped interval.
 */
export function instantAt(date: string, minutes: number, zone: string): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + minutes * minuteMs;
  const offsetAt = (at: number): number => clockAt(at, zone) - at;
  const [before, after] = [wall - offsetAt(wall - dayMs), wall - offsetAt(wall + dayMs)];
  const isShown = (at: number): boolean => clockAt(at, zone) === wall;
  return isShown(after) && !isShown(before) ? after : before;
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** The day of the week of a date; 1 is Monday. */
export const weekdayOf = (date: string): number => new Date(`${date}T12:00:00Z`).getUTCDay() || 7;
