import type { Template, TemplateData } from '../rules/template-data.ts';
import { en } from './en.ts';
import type { Format, Text, Texts } from './text.ts';

/** Each language by its tag. Another one is a file beside `en.ts` and a line here. */
const languages = { en } as const satisfies Record<string, Texts>;
export type Language = keyof typeof languages;

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

/** Writes the text of a template from its data. */
export function writeText<T extends Template>(language: Language, template: T, data: TemplateData[T], { store, now }: TextContext): Text {
  const { locale, unknownStore, texts } = languages[language];
  const format: Format = {
    store: store.name ?? unknownStore,
    money: (minor, currency = store.currency) => formatMoney(locale, minor, currency),
    time: (instant) => formatTime(locale, new Date(instant), store.time_zone, now),
  };
  return texts[template](data, format);
}

function formatMoney(locale: string, minor: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

function formatTime(locale: string, instant: Date, timeZone: string, now: Date): string {
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);
  const day = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' });
  return day.format(instant) === day.format(now) ? time : `${day.format(instant)}, ${time}`;
}
