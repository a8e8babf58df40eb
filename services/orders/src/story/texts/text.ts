import type { NoStampReason, OrderMessage, StoryActor } from '@corner/contracts';
import type { Fact, Facts, Message, NoStampFacts } from '../rules/facts.ts';

export interface Format {
  readonly isCustomer: boolean;
  money(minor: number): string;
  /** Formats an instant (ISO 8601) in the store's time zone: the day and the time. */
  time(instant: string): string;
  plural(count: number, forms: { readonly one: string; readonly other: string }): string;
}

/** Only the store sees the name of a member of staff. */
interface Named {
  readonly by_name: string | null;
}

/** Every sentence of a story in one language. A missing one does not compile. */
export interface StoryTexts {
  readonly locale: string;
  /** Without an initial capital, since a part's number may precede the sentence. */
  readonly entries: { readonly [K in keyof Facts & Fact['kind']]: (facts: Facts[K] & Named, format: Format) => string };
  readonly noStamp: { readonly [R in NoStampReason]: (facts: NoStampFacts, format: Format) => string };
  readonly counting: (facts: { readonly counting: number; readonly taken_back: number }, format: Format) => string;
}

export interface StoryWords {
  readonly actors: { readonly [A in StoryActor]: (facts: Named, format: Format) => string };
  readonly about: { readonly [M in OrderMessage]: string };
  readonly channels: { readonly [C in Message['channel']]: string };
}
