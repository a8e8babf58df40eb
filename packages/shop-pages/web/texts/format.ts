import { formatMoney } from '@corner/contracts/currencies';
import { dateFormat } from '@corner/page-kit/logic/date-format';

/**
 * Instants in a store's zone: `time` 14:05; `day` Today, Tomorrow or else Friday 4 December; `date` 4 December 2026; `dayAndTime` 4 Dec,
 * 14:05.
 */
export interface Format {
  readonly money: (minor: number, currency: string) => string;
  readonly time: (instant: string, timeZone: string) => string;
  readonly day: (instant: string, timeZone: string, now?: number) => string;
  readonly date: (instant: string, timeZone: string) => string;
  readonly dayAndTime: (instant: string, timeZone: string) => string;
}

const styles = {
  time: { hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  date: { day: 'numeric', month: 'long', year: 'numeric' },
  dayAndTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Uses the region of the browser where the language has one: en-GB and en-US write a time differently. */
export function formatIn(language: string): Format {
  const write = (style: keyof typeof styles, instant: string, timeZone: string): string =>
    dateFormat(language, { ...styles[style], timeZone }).format(new Date(instant));
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    money: (minor, currency) => formatMoney(minor, currency, language),
    time: (instant, timeZone) => write('time', instant, timeZone),
    date: (instant, timeZone) => write('date', instant, timeZone),
    dayAndTime: (instant, timeZone) => write('dayAndTime', instant, timeZone),
    day(instant, timeZone, now = Date.now()) {
      const days = dayNumber(Date.parse(instant), timeZone) - dayNumber(now, timeZone);
      return capital(days === 0 || days === 1 ? relative.format(days, 'day') : write('day', instant, timeZone));
    },
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function dayNumber(at: number, timeZone: string): number {
  const parts = dateFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);
  return Date.parse(parts) / 86_400_000;
}
