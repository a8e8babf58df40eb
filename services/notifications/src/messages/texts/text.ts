import type { PreferenceToggle } from '@corner/contracts';
import type { Template, TemplateData } from '../rules/template-data.ts';

/** The text a person reads: on a lock screen, in an SMS, or as the subject and first paragraph of an e-mail. */
export interface Text {
  readonly title: string;
  readonly body: string;
}

/**
 * Amounts are in minor units, of the given currency or the store's; instants in ISO 8601, written in the store's time zone. `time` omits
 * the date when it is today's. A share is in hundredths of a percent: 2000 is 20 %. `plural` chooses a word by the language's own rules,
 * without the count; `other` also replaces an absent form.
 */
export interface Format {
  readonly store: string;
  money(minor: number, currency?: string): string;
  time(instant: string): string;
  dateTime(instant: string): string;
  percent(bps: number): string;
  plural(count: number, forms: PluralForms): string;
}

type PluralForms = { readonly [R in Intl.LDMLPluralRule]?: string } & { readonly other: string };

export interface Texts {
  readonly locale: string;
  readonly unknownStore: string;
  readonly texts: { readonly [T in Template]: (data: TemplateData[T], format: Format) => Text };
  readonly mail: MailTexts;
}

/** An incomplete language; its missing texts are in English. */
export type PartialTexts = Pick<Texts, 'locale' | 'unknownStore'> & {
  readonly texts: Partial<Texts['texts']>;
  readonly mail?: MailTexts;
};

export type Subject<T extends Template = Template> = T extends `${infer S}.${string}` ? S : never;

export interface MailTexts {
  /** Why the person gets a message, by its subject: the part of the template's name before the dot. */
  readonly reasons: { readonly [S in Subject]: (store: string) => string };
  readonly topics: { readonly [T in PreferenceToggle]: string };
  readonly stop: (topic: string, store: string) => string;
  readonly receipt: ReceiptLabels;
  readonly settings: string;
  readonly accept: string;
  readonly unsubscribe: UnsubscribeTexts;
  readonly address: AddressTexts;
}

interface ReceiptLabels {
  readonly order: string;
  readonly paidAt: string;
  readonly table: string;
  readonly code: string;
  readonly collectAt: string;
  readonly subtotal: string;
  readonly discount: string;
  readonly tip: string;
  readonly total: string;
  readonly vatNumber: string;
  readonly rate: string;
  readonly net: string;
  readonly vat: string;
  readonly gross: string;
  readonly noRate: string;
  readonly creditNote: string;
  readonly partOfPrice: string;
  readonly refunded: string;
  readonly openReceipt: string;
  readonly openCreditNote: string;
}

interface UnsubscribeTexts {
  readonly ask: (topic: string, store: string) => string;
  readonly others: string;
  readonly confirm: string;
  readonly done: (topic: string, store: string) => string;
  readonly invalid: string;
}

interface AddressTexts {
  readonly firstMail: string;
  readonly keep: string;
  readonly stop: string;
  readonly askKeep: string;
  readonly kept: string;
  readonly askStop: string;
  readonly stops: string;
  readonly confirmStop: string;
  readonly stopped: string;
}
