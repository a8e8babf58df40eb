import type { Facts, Template } from '../rules/template-data.ts';
import { en } from './en.ts';
import type { Say, Text, Texts } from './text.ts';

/** Each language by its tag. A further one is a file beside `en.ts` and a line here. */
const languages = { en } as const satisfies Record<string, Texts>;
export type Language = keyof typeof languages;

/** What a text takes from the store. A store nobody has told of yet has no name. */
export interface StoreFacts {
  readonly name: string | null;
  readonly time_zone: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** Writes the text of a template from its facts. `now` decides which day needs no mention. */
export function writeText<T extends Template>(language: Language, template: T, facts: Facts[T], store: StoreFacts, now: Date): Text {
  const { locale, unknownStore, texts } = languages[language];
  const say: Say = {
    store: store.name ?? unknownStore,
    money: (minor, currency = store.currency) => money(locale, minor, currency),
    time: (instant) => timeOf(locale, new Date(instant), store.time_zone, now),
  };
  return texts[template](facts, say);
}

function money(locale: string, minor: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

function timeOf(locale: string, instant: Date, timeZone: string, now: Date): string {
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);
  const day = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' });
  return day.format(instant) === day.format(now) ? time : `${day.format(instant)}, ${time}`;
}
