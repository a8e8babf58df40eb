import type { Template, TemplateData } from '../rules/template-data.ts';

/** What the customer reads: on a lock screen, or as the subject and body of an e-mail. */
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
}

/** Every text of one language. A missing text does not compile. */
export interface Texts {
  /** The BCP 47 tag for numbers and times. */
  readonly locale: string;
  readonly unknownStore: string;
  readonly texts: { readonly [T in Template]: (data: TemplateData[T], format: Format) => Text };
}
