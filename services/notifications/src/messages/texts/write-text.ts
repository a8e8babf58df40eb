import { formatMoney, type Language } from '@corner/contracts';
import type { Template, TemplateData } from '../rules/template-data.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import type { Format, PartialTexts, Text } from './text.ts';

/** A new language is a tag in the contracts, a file next to `en.ts` and a line here. */
export const languages: Readonly<Record<Language, PartialTexts>> = { en, fr };

export function writeText<T extends Template>(language: PartialTexts, template: T, data: TemplateData[T], context: TextContext): Text {
  const { locale, unknownStore, texts } = language.texts[template] ? language : en;
  return (texts[template] ?? en.texts[template])(data, createFormat(locale, unknownStore, context));
}

export interface TextContext {
  readonly store: {
    readonly name: string | null;
    readonly time_zone: string;
    readonly currency: string;
  };
  readonly now: Date;
}

/** `locale` is a BCP 47 tag. A text omits the day of `now`. The store's name is null until a snapshot of it arrives. */
export function createFormat(locale: string, unknownStore: string, { store, now }: TextContext): Format {
  const timeZone = store.time_zone;
  return {
    store: store.name ?? unknownStore,
    money: (minor, currency = store.currency) => formatMoney(minor, currency, locale),
    time(instant) {
      const [time, day] = [formatsOf(locale, timeZone).time.format(new Date(instant)), dayOf(locale, timeZone, new Date(instant))];
      return day === dayOf(locale, timeZone, now) ? time : `${day}, ${time}`;
    },
    dateTime: (instant) => formatsOf(locale, timeZone).dateTime.format(new Date(instant)),
    percent: (bps) => formatsOf(locale, timeZone).percent.format(bps / 10_000),
    plural: (count, forms) => forms[formatsOf(locale, timeZone).plural.select(count)] ?? forms.other,
  };
}

const dayOf = (locale: string, timeZone: string, instant: Date) => formatsOf(locale, timeZone).day.format(instant);

/**
 * Cached, because creating a format costs a hundred times as much as using it. There are few: some hundred time zones in a few languages.
 */
function formatsOf(locale: string, timeZone: string): Formats {
  const key = `${locale} ${timeZone}`;
  const formats = kept.get(key) ?? createFormats(locale, timeZone);
  kept.set(key, formats);
  return formats;
}

const kept = new Map<string, Formats>();

const createFormats = (locale: string, timeZone: string) => ({
  time: new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  day: new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }),
  dateTime: new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' }),
  percent: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }),
  plural: new Intl.PluralRules(locale),
});
type Formats = ReturnType<typeof createFormats>;
