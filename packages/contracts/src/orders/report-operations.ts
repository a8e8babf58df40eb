import { z } from 'zod';
import { anyone, defineOperation, manager, orPartner } from '../operation.ts';
import { Day, queryInteger, StoreId } from '../vocabulary.ts';
import { DayBook, tableOfBook } from './book.ts';
import { Report, Tips, tableOfReport, tableOfTips } from './report.ts';
import { EnteredTipList, TipShares, WeightedWorkers } from './tips.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const mostDays = 366;

const range = {
  store_id: StoreId.optional().describe('The store. Absent: all stores of the caller, of which it is a manager or owner.'),
  from: Day.describe('The first day, in the store’s time zone, such as 2026-05-01.'),
  to: Day.describe(`The last day: from itself for one day, and at most ${mostDays} days in all.`),
  format: z.enum(['json', 'csv']).default('json').describe('`csv` returns a table for a spreadsheet, as `Accept: text/csv` does.'),
};

const daysIn = ({ from, to }: { readonly from: string; readonly to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

const inRange = <T extends z.ZodType<{ readonly from: string; readonly to: string }>>(query: T): T =>
  query
    .refine((asked) => daysIn(asked) >= 1, { path: ['to'], error: 'must not be before from' })
    .refine((asked) => daysIn(asked) <= mostDays, {
      path: ['to'],
      error: `must make a range of ${mostDays} days at most: ask for less at a time`,
    });

export const readReport = defineOperation({
  name: 'readReport',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders/reports',
  summary: 'Read the money of days: of a store, or of all your stores.',
  description:
    'Orders, items, discounts, VAT, tips, refunds, fees, disputes, payouts and what is left, by day and in total; for a spreadsheet with format=csv. A day begins and ends at midnight in the store’s time zone, and what happens is of the day on which it happens: a refund is of its own day, not of the day its order was paid. So a day that has ended does not change any more. Stores that are asked for together need one currency. No person is named. The console’s page of a day reads the same ledger entry by entry.',
  caller: orPartner(manager, 'reports:read'),
  query: inRange(
    z.object({
      ...range,
      items: queryInteger(z.int().min(0).max(200).default(50)).describe('How many items are listed; the others are summed in other_items.'),
    }),
  ),
  reply: Report,
  csv: tableOfReport,
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { query: { store_id: demoStore, from: '2026-11-23', to: '2026-11-23' } },
});

export const readReadyTimes = defineOperation({
  name: 'readReadyTimes',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders/stores/{store_id}/ready-times',
  summary: 'Read how well the quoted ready times of a store were kept.',
  description:
    'By week, this one first; a week without a quote is left out. A quote is kept when the order was ready within the spread that it was quoted, ready_estimate. It is of the week in which it was ready.',
  caller: orPartner(manager, 'reports:read'),
  params: z.object({ store_id: StoreId }),
  query: z.object({ weeks: queryInteger(z.int().min(1).max(12).default(8)).describe('How many weeks.') }),
  reply: z.object({
    weeks: z.array(
      z.object({
        week: z.string().describe('The Monday on which it began at the store.'),
        quotes: z.int().describe('Orders that were quoted and ready.'),
        kept: z.int().describe('Of those, how many were ready within the spread.'),
        early: z.int().describe('How many were ready before it.'),
        late: z.int().describe('How many were ready after it.'),
      }),
    ),
  }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const listTips = defineOperation({
  name: 'listTips',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders/reports/tips',
  summary: 'List the tips of orders.',
  description:
    'Each order with a tip, and each refund that took some of one back, oldest first: the record of tips that employers in Britain keep for three years. A customer is not named. The sums of a day are in readReport. For a spreadsheet with format=csv.',
  caller: orPartner(manager, 'reports:read'),
  query: inRange(
    z.object({
      ...range,
      store_id: StoreId,
      limit: queryInteger(z.int().min(1).max(5_000).default(100)).describe('Rows in a page.'),
      after: z
        .string()
        .regex(/^\d{4}-\d\d-\d\d\.\d{1,9}$/, 'must be the next of the page before')
        .optional()
        .describe('The `next` of the page before.'),
    }),
  ),
  reply: Tips,
  csv: tableOfTips,
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  extension: true,
  example: { query: { store_id: demoStore, from: '2026-11-23', to: '2026-11-23' } },
});

const tipShares = '/api/v1/orders/reports/tip-shares';

export const enterTipShares = defineOperation({
  name: 'enterTipShares',
  service: 'orders',
  method: 'POST',
  path: tipShares,
  summary: 'Enter how the tips of a day are shared.',
  description:
    'Who worked on the day, each with a weight. It takes the place of the list entered before, also after the day is closed; each version is kept with who entered it.',
  caller: manager,
  body: z.object({ store_id: StoreId, date: Day.describe('The day, in the store’s time zone.'), shares: WeightedWorkers }),
  reply: z.object({ list: EnteredTipList }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension: true,
  example: {
    body: {
      store_id: demoStore,
      date: '2026-11-23',
      shares: [
        { worker: 'Bo', weight: 750 },
        { worker: 'Cy', weight: 400 },
      ],
    },
  },
});

export const readTipShares = defineOperation({
  name: 'readTipShares',
  service: 'orders',
  method: 'GET',
  path: tipShares,
  summary: 'Read each worker’s share of the tips of a day.',
  description:
    'The tips of a day are divided by the weights of its list to the smallest unit of the currency: what is left over goes to the largest remainders, and of equal ones to the earlier row. A refund takes back a tip on the day of the refund, from those who shared it, by the list of the day on which it was paid; where that day has no list, by that of the refund’s. When the day is closed each worker gets a statement to keep, which `corner tips verify` checks by the public keys alone.',
  caller: manager,
  query: z.object({ store_id: StoreId, date: Day.describe('The day, in the store’s time zone.') }),
  reply: TipShares,
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { query: { store_id: demoStore, date: '2026-11-23' } },
});

export const readDayBook = defineOperation({
  name: 'readDayBook',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders/reports/book',
  summary: 'Read the rows of a closed day, with the proof of them.',
  description:
    'Each movement of money, tender, credit note, payout, tip and sum of a day, and what was signed when the day was closed: a hash of each row, and the hash of the day before. With format=csv it is the file that `corner books verify` checks by the public keys alone, naming each row that is not as it was. With format=pdf it is a paper of the day’s sums with the hash of its proof, and a code that opens the console’s page Proof to compare the two; a day that is not closed has none. What happens later is of a later day, so the rows of a closed day do not change. No customer is named.',
  caller: orPartner(manager, 'reports:read'),
  query: z.object({
    store_id: StoreId,
    date: Day.describe('The day, in the store’s time zone.'),
    format: z
      .enum(['json', 'csv', 'pdf'])
      .default('json')
      .describe('`csv` returns a table for a spreadsheet, as `Accept: text/csv` does; `pdf` a paper to print.'),
  }),
  reply: DayBook,
  csv: tableOfBook,
  pdf: true,
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  limits: [{ by: 'principal', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { query: { store_id: demoStore, date: '2026-11-23' } },
});

export const readBookKeys = defineOperation({
  name: 'readBookKeys',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders/reports/keys',
  summary: 'Read the public keys of the days’ proofs.',
  description:
    'A JWK set (RFC 7517). Keep a copy: it is what a file is verified with. A key stays in it after another one has taken its place. Empty where the platform has no key: days are then closed unsigned.',
  caller: anyone,
  reply: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string().describe('Names the key in the header of a proof: its thumbprint (RFC 7638).'),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  }),
  problems: [],
  replay: 'none',
  extension: true,
  example: {},
});
