import { z } from 'zod';
import { typedName } from '../typed/names.ts';
import { ChangedBy, Currency, Day, Instant, SignedPence, StoreId } from '../vocabulary.ts';

const Worker = typedName(80).describe('Who it is, as the store writes it: a name or a staff number.');
const Weight = z.int().min(1).max(1_000_000).describe('Hours or points, in hundredths: 750 is 7.5.');

export const WeightedWorkers = z
  .array(z.object({ worker: Worker, weight: Weight }))
  .min(1)
  .max(200)
  .superRefine((rows, context) => {
    for (const [index, { worker }] of rows.entries())
      if (rows.findIndex((row) => row.worker === worker) < index)
        context.addIssue({ code: 'custom', path: [index, 'worker'], message: 'is in the list already: give one row with all the weight' });
  })
  .describe('Who shares the tips, each once.');

export const EnteredTipList = z.object({
  date: Day,
  version: z.int().describe('1, 2, 3 … The latest one counts, and the others are kept.'),
  entered_at: Instant,
  entered_by: ChangedBy,
});

const part = {
  date: z.iso.date().describe('The day on which these tips were paid, whose list they are shared by.'),
  tips_pence: SignedPence.describe('Their sum. Negative for what refunds took back.'),
  row: z.int().describe('The worker’s row of that list.'),
  weight: Weight,
  total_weight: z.int().describe('The sum of the weights of that list.'),
  amount_pence: SignedPence.describe('The worker’s share of them.'),
};

export const TipShares = z.object({
  store_id: StoreId,
  date: z.iso.date(),
  currency: Currency,
  closed: z.boolean().describe('Whether the day is closed. Its tips do not change any more, its list may.'),
  signed: z.boolean().describe('Whether the statements are signed by a key of readBookKeys.'),
  tips_pence: SignedPence.describe('Tips of the day, less what refunds of the day took back of tips of any day. All shares sum to it.'),
  unshared_pence: SignedPence.describe('The part of it for which no list is entered. No statement is made while there is one.'),
  list: EnteredTipList.nullable().describe('The day’s list. Null when none is entered.'),
  shares: z
    .array(
      z.object({
        worker: z.string(),
        amount_pence: SignedPence,
        parts: z.array(z.object(part)).describe('Of the day’s own tips, and of earlier days’ tips that refunds of the day took back.'),
        statement: z
          .string()
          .nullable()
          .describe('For the worker to keep: a JWS in compact form, whose payload is a TipStatement. Null until the day is closed.'),
      }),
    )
    .describe('In the order of the list, then workers of earlier days.'),
});
export type TipShares = z.output<typeof TipShares>;
export type TipShare = TipShares['shares'][number];

/** The payload of the signature that a list gets when it is entered. */
export const TipListStatement = z.object({
  v: z.literal(1),
  store_id: z.string(),
  date: z.iso.date(),
  version: z.int(),
  /** SHA-256, as base64url, of each row's {@link hashedTextOfWeight}. */
  rows: z.array(z.string()),
  total_weight: z.int(),
});
export type TipListStatement = z.output<typeof TipListStatement>;

export const TipStatement = z.object({
  v: z.literal(1),
  store_id: z.string(),
  store: z.string(),
  date: z.iso.date(),
  currency: Currency,
  /** SHA-256 of the proof of the closed day, as base64url. */
  day: z.string(),
  tips_pence: z.int(),
  /** How many workers have a share. */
  workers: z.int(),
  /** SHA-256, as base64url, of {@link hashedTextOfShares} of all workers. */
  shares: z.string(),
  worker: z.string(),
  amount_pence: z.int(),
  parts: z.array(
    z.object({
      ...part,
      /** A random text, so that no one can guess another worker's row from its hash. */
      key: z.string(),
      /** A JWS of the list as it was entered, whose payload is a {@link TipListStatement}. */
      entered: z.string(),
    }),
  ),
});
export type TipStatement = z.output<typeof TipStatement>;
export type TipPart = TipStatement['parts'][number] & { readonly worker: string };

export const hashedTextOfWeight = ({ key, worker, weight }: Pick<TipPart, 'key' | 'worker' | 'weight'>): string =>
  JSON.stringify([key, worker, weight]);

/** Returns one text of all parts of a day, the same in any order of them. */
export const hashedTextOfShares = (parts: readonly TipPart[]): string =>
  JSON.stringify(byRow(parts).map(({ date, key, worker, weight, amount_pence }) => [date, key, worker, weight, amount_pence]));

export const byRow = <T extends Pick<TipPart, 'date' | 'row'>>(parts: readonly T[]): T[] =>
  parts.toSorted((a, b) => (a.date === b.date ? a.row - b.row : a.date < b.date ? -1 : 1));
