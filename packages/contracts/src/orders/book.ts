import { z } from 'zod';
import { csvOf, type Field, type Table } from '../csv.ts';
import { rulesOfCurrency } from '../currencies.ts';
import { Currency, Instant, Pence, SignedPence } from '../vocabulary.ts';

export const bookRowKinds = ['ledger', 'credit_note', 'payout', 'tip', 'sum', 'item'] as const;

export const BookRow = z.object({
  row: z.int().describe('Its number: 1, 2, 3 … without gaps.'),
  what: z.enum(bookRowKinds),
  name: z.string().describe('The kind of a movement, the number of a credit note, the name of a sum or of an item. Empty for the others.'),
  at: Instant.nullable().describe('When it happened. Null for sums and items.'),
  order_number: z.string().nullable().describe('The order. Null for what concerns none.'),
  order_id: z.string().nullable(),
  amount_pence: SignedPence.nullable().describe('Of a movement, on the platform’s side. Null for a sum that counts.'),
  count: SignedPence.nullable().describe('What a sum counts, and how many of an item were sold.'),
  currency: Currency,
  tender: z.string().nullable().describe('What was paid with at the counter.'),
  given_pence: Pence.nullable().describe('The cash that was handed over.'),
  reference: z.string().nullable().describe('What the card reader printed.'),
  provider_ref: z.string().nullable().describe('The payment provider’s id of the movement, or the counter’s own.'),
  drawer_id: z.string().nullable().describe('The drawer that cash came into or went out of.'),
  by_id: z.string().nullable().describe('Who took it at the counter, or asked for the refund.'),
});
export type BookRow = z.output<typeof BookRow>;

export const DayBook = z.object({
  store_id: z.string(),
  date: z.iso.date(),
  number: z.int().nullable().describe('The day’s number in the store’s chain of days: 1, 2, 3 … Null while it is not in the chain.'),
  signed: z.boolean().describe('Whether a key of readBookKeys signed it.'),
  proof: z
    .string()
    .nullable()
    .describe(
      'The day as it was closed: a JWS in compact form, whose payload is a DayStatement. Its signature is empty where the platform had no key. Null for a day that is not closed yet.',
    ),
  first_day: z.iso
    .date()
    .nullable()
    .describe('The store’s first day, on which its first payment was made: no day before it is closed. Null before that.'),
  rows: z.array(BookRow).describe('What the payload has a hash of, read now. Empty for a day that is not closed yet.'),
});
export type DayBook = z.output<typeof DayBook>;

export const DayStatement = z.object({
  v: z.literal(1),
  store_id: z.string(),
  /** The store's code when the day was closed. */
  store: z.string(),
  date: z.iso.date(),
  currency: Currency,
  number: z.int().min(1),
  begins_at: Instant,
  ends_at: Instant,
  closed_at: Instant,
  /** SHA-256 of the proof of the day before, as base64url; null for the first one. */
  before: z.string().nullable(),
  /** Row count of each kind and name, and the sum in minor units: `ledger charge`, `tip`. */
  sums: z.record(z.string(), z.object({ rows: z.int(), amount_pence: z.int() })),
  /** SHA-256, as base64url, of each row's {@link hashedTextOf}. */
  rows: z.array(z.string()),
});
export type DayStatement = z.output<typeof DayStatement>;

export const bookHead = [
  'row',
  'what',
  'name',
  'at',
  'order_number',
  'order_id',
  'amount',
  'count',
  'currency',
  'tender',
  'given',
  'reference',
  'provider_ref',
  'drawer_id',
  'by_id',
];

/** A spreadsheet's cells hold no more, so a proof is cut into several. */
const longestCell = 30_000;

function fieldsOf(row: BookRow): Field[] {
  const { decimals } = rulesOfCurrency(row.currency);
  const amount = (minor: number | null): Field => (minor === null ? null : { minor, decimals });
  return [
    row.what,
    row.name,
    row.at,
    row.order_number,
    row.order_id,
    amount(row.amount_pence),
    row.count,
    row.currency,
    row.tender,
    amount(row.given_pence),
    row.reference,
    row.provider_ref,
    row.drawer_id,
    row.by_id,
  ];
}

/** Returns the hashed text of a row: its line in the CSV after the first comma, without its line end, so a missing row changes no other. */
export const hashedTextOf = (row: BookRow): string => csvOf([fieldsOf(row)]).slice(0, -2);

/** Puts the rows first, then the proof in lines that begin with `proof`. */
export function tableOfBook({ date, rows, proof }: DayBook): Table {
  const parts = proof === null ? [] : (proof.match(new RegExp(`.{1,${longestCell}}`, 'g')) ?? []);
  return {
    name: `book-${date}`,
    rows: [bookHead, ...rows.map((row) => [row.row, ...fieldsOf(row)]), ...parts.map((part, n) => ['proof', n + 1, part])],
  };
}

/** Counts and sums rows by kind, those of the ledger by kind of movement too. Rows that are sums themselves are not added up again. */
export function sumsOfBook(rows: readonly { what: string; name: string; amount_pence: number | null }[]): DayStatement['sums'] {
  const sums: Record<string, { rows: number; amount_pence: number }> = {};
  for (const { what, name, amount_pence } of rows) {
    const key = what === 'ledger' ? `${what} ${name}` : what;
    const { rows: counted, amount_pence: sum } = sums[key] ?? { rows: 0, amount_pence: 0 };
    sums[key] = { rows: counted + 1, amount_pence: what === 'sum' ? 0 : sum + (amount_pence ?? 0) };
  }
  return sums;
}
