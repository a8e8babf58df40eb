import { formatMoney } from '@corner/contracts';
import type { Format } from './text.ts';

/** What formatting depends on, beside the language. */
export interface TextContext {
  readonly store: {
    /** Null for a store of which no snapshot has arrived. */
    readonly name: string | null;
    readonly time_zone: string;
    /** ISO 4217. */
    readonly currency: string;
  };
  /** The day of this instant needs no mention. */
  readonly now: Date;
}

/** Creates the format of a language (its BCP 47 tag) for texts about a store. */
export function createFormat(locale: string, unknownStore: string, { store, now }: TextContext): Format {
  const timeZone = store.time_zone;
  return {
    store: store.name ?? unknownStore,
    money: (minor, currency = store.currency) => formatMoney(minor, currency, locale),
    time: (instant) => formatTime(locale, new Date(instant), timeZone, now),
    dateTime: (instant) =>
      new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' }).format(new Date(instant)),
    percent: (bps) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000),
    plural: (count, forms) => forms[new Intl.PluralRules(locale).select(count)] ?? forms.other,
  };
}

function formatTime(locale: string, instant: Date, timeZone: string, now: Date): string {
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);
  const day = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' });
  return day.format(instant) === day.format(now) ? time : `${day.format(instant)}, ${time}`;
}
