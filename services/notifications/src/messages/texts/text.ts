import type { Template, TemplateData } from '../rules/template-data.ts';
import type { MailTexts } from './mail-texts.ts';

/** What a person reads: on a lock screen, in an SMS, or as the subject and first paragraph of an e-mail. */
export interface Text {
  readonly title: string;
  readonly body: string;
}

/** Formats what depends on the store and the language. */
export interface Format {
  /** The store's name. */
  readonly store: string;
  /** Formats an amount in minor units, in the given currency or the store's. */
  money(minor: number, currency?: string): string;
  /** Formats an instant (ISO 8601) in the store's time zone: the time of day, with the date unless it is today. */
  time(instant: string): string;
  /** Formats an instant (ISO 8601) in the store's time zone as a date with the year, and the time of day. */
  dateTime(instant: string): string;
  /** Formats a share in hundredths of a percent: 2000 is 20 %. */
  percent(bps: number): string;
  /** Chooses a word by the language's own plural rules, without the count. */
  plural(count: number, forms: PluralForms): string;
}

/** `other` also stands for a form that is left out. */
export type PluralForms = { readonly [R in Intl.LDMLPluralRule]?: string } & { readonly other: string };

/** Every text of one language. A missing text does not compile. */
export interface Texts {
  /** The BCP 47 tag for numbers, times and plurals. */
  readonly locale: string;
  readonly unknownStore: string;
  readonly texts: { readonly [T in Template]: (data: TemplateData[T], format: Format) => Text };
  readonly mail: MailTexts;
}

/** A language that is not complete. What it lacks is written in English. */
export type PartialTexts = Pick<Texts, 'locale' | 'unknownStore'> & {
  readonly texts: Partial<Texts['texts']>;
  readonly mail?: MailTexts;
};
