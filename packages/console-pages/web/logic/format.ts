import { formatMoney } from '@corner/contracts/currencies';
import { dateFormat } from '@corner/page-kit/logic/date-format';

/** The browser's language may be one that is not a language tag: `en-US@posix`. */
const viewersLanguage = (): string => (/^[\w-]+/.exec(navigator.language) ?? ['en'])[0];

/** `minor` is in minor units. Negative zero is shown as zero. */
export const money = (minor: number, currency: string, language: string = viewersLanguage()): string =>
  formatMoney(minor + 0, currency, language);

export type InstantStyle = 'minute' | 'time' | 'exact' | 'day' | 'date' | 'day and time';

const formats: Readonly<Record<InstantStyle, Intl.DateTimeFormatOptions>> = {
  minute: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  exact: {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZoneName: 'short',
  },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  date: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  'day and time': { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
};

const formatOf = (style: InstantStyle, language: string | undefined, zone: string | undefined): Intl.DateTimeFormat =>
  dateFormat(language, { ...formats[style], timeZone: zone });

export const instant = (iso: string, style: InstantStyle, language?: string, zone?: string): string =>
  formatOf(style, language, zone).format(new Date(iso));

/** Writes a day of a store's calendar, such as 2026-05-01, whatever the zone of the browser. `date` has the year. */
export const dayText = (day: string, style: 'day' | 'date' = 'day', language?: string): string =>
  instant(`${day}T12:00:00Z`, style, language, 'UTC');

export function clock(iso: string, zone?: string): string {
  const at = new Date(iso);
  return `${formatOf('time', 'en-GB', zone).format(at)}.${String(at.getUTCMilliseconds()).padStart(3, '0')}`;
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Writes the two largest units: `3 min 12 s`, `2 d 4 h`; below ten seconds with a decimal, below one in milliseconds. */
export function duration(ms: number): string {
  const rest = Math.max(0, ms);
  if (rest < 1_000) return `${Math.round(rest)} ms`;
  if (rest < 10_000) return `${(Math.floor(rest / 100) / 10).toFixed(1)} s`;
  const first = units.findIndex(([, size]) => rest >= size);
  const [unit, size] = units[first] ?? (['s', 1_000] as const);
  const [smaller, part] = units[first + 1] ?? [undefined, 1];
  const less = Math.floor((rest % size) / part);
  return `${Math.floor(rest / size)} ${unit}${smaller !== undefined && less > 0 ? ` ${less} ${smaller}` : ''}`;
}

/** Returns `4:07`, and `1:04:07` from an hour on. */
export function stopwatch(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export function ago(iso: string, now: number): string {
  const ms = now - Date.parse(iso);
  if (Math.abs(ms) < 1_000) return 'now';
  const [unit, size] = units.find(([, each]) => Math.abs(ms) >= each) ?? units[3];
  const count = `${Math.floor(Math.abs(ms) / size)} ${unit}`;
  return ms > 0 ? `${count} ago` : `in ${count}`;
}

export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 8)}…` : id);

export const count = (value: number, language?: string): string => value.toLocaleString(language);

export const plural = (value: number, one: string, many: string = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  const [unit, size] = value < 1e6 ? ['kB', 1e3] : value < 1e9 ? ['MB', 1e6] : (['GB', 1e9] as const);
  return `${(value / (size as number)).toFixed(1)} ${unit}`;
}
