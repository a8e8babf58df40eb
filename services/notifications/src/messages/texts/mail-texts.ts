import type { Template, Toggle } from '../rules/template-data.ts';

/** What a template is about: the part of its name before the dot. */
export type Subject<T extends Template = Template> = T extends `${infer S}.${string}` ? S : never;

/** What an e-mail says besides the text of its template. */
export interface MailTexts {
  /** Why the person gets a message, by what it is about. */
  readonly reasons: { readonly [S in Subject]: (store: string) => string };
  /** The messages that a preference is about, as in “Stop …”. */
  readonly topics: { readonly [T in Toggle]: string };
  readonly stop: (topic: string, store: string) => string;
  readonly receipt: ReceiptLabels;
  readonly unsubscribe: UnsubscribeTexts;
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
  /** The rate of an item that has none. */
  readonly noRate: string;
}

/** The page behind the link that stops messages. */
interface UnsubscribeTexts {
  readonly ask: (topic: string, store: string) => string;
  readonly others: string;
  readonly confirm: string;
  readonly done: (topic: string, store: string) => string;
  readonly invalid: string;
}
