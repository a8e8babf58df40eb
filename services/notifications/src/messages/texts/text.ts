import type { Facts, Template } from '../rules/template-data.ts';

/** What is read: on a locked screen, or as subject and body of an e-mail. */
export interface Text {
  readonly title: string;
  readonly body: string;
}

/** How a text says what depends on the store and the language. */
export interface Say {
  /** The store's name. */
  readonly store: string;
  /** An amount in minor units, in this currency or the store's. */
  money(minor: number, currency?: string): string;
  /** An instant (ISO 8601) in the store's zone: the time of day, with the day when that is another one. */
  time(instant: string): string;
}

/** Every text of one language. One that is missing does not compile. */
export interface Texts {
  /** The BCP 47 tag numbers and times are written by. */
  readonly locale: string;
  readonly unknownStore: string;
  readonly texts: { readonly [T in Template]: (facts: Facts[T], say: Say) => Text };
}
