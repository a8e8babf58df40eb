import type { NoStampReason, OrderMessage, StoryActor } from '@corner/contracts';
import type { Fact, Facts, Message, NoStampFacts } from '../rules/facts.ts';

export interface Format {
  /** Whether the customer reads it, and not the store. */
  readonly isCustomer: boolean;
  /** Formats an amount in minor units of the order's currency. */
  money(minor: number): string;
  /** Formats an instant (ISO 8601) by the store's clock: the day and the time. */
  time(instant: string): string;
  /** Chooses a word by the language's own plural rules, without the count. */
  plural(count: number, forms: { readonly one: string; readonly other: string }): string;
}

/** The name of a member of staff is given to the store alone. */
interface Named {
  readonly by_name: string | null;
}

/** Every sentence of a story in one language. A missing one does not compile. */
export interface StoryTexts {
  readonly locale: string;
  /** Each without the capital that a part's number may come before. */
  readonly entries: { readonly [K in keyof Facts & Fact['kind']]: (facts: Facts[K] & Named, format: Format) => string };
  readonly noStamp: { readonly [R in NoStampReason]: (facts: NoStampFacts, format: Format) => string };
  readonly counting: (facts: { readonly counting: number; readonly taken_back: number }, format: Format) => string;
}

/** Words of one language that several of its sentences are made of. */
export interface StoryWords {
  readonly actors: { readonly [A in StoryActor]: (facts: Named, format: Format) => string };
  readonly about: { readonly [M in OrderMessage]: string };
  readonly channels: { readonly [C in Message['channel']]: string };
}
