import { z } from 'zod';
import { customer, defineOperation } from '../operation.ts';
import { Currency, Instant, Pence, queryInteger, StoreId } from '../vocabulary.ts';
import { ActiveVoucher, CardLook, cardEntryKinds, Driver, Membership, stampLosses } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'loyalty';
const text = z.string().nullable();

const OwnCard = z
  .object({
    programme_id: StoreId.describe('The programme: the id of its home store.'),
    stores: z
      .array(z.object({ id: z.string(), code: z.string(), name: z.string() }))
      .describe('Where stamps are collected on it and its vouchers are valid, the home store first.'),
    stamp_count: z.int().describe('Stamps toward the next reward.'),
    owed: z.int().describe('Stamps that the next ones pay back, because money of earlier ones was refunded after their reward was used.'),
    pending: z.int().describe('Stamps that wait for the store’s approval.'),
    goal: z.int().describe('Stamps that earn a reward. 0 for a store without a programme.'),
    reward_name: z.string(),
    enabled: z.boolean().describe('Whether stamps are collected now.'),
    driver: Driver,
    stamps_per_order: z.int().describe('Stamps that a paid order earns, where orders are rewarded.'),
    min_spend_pence: Pence.describe('The least that an order must cost, without its tip, to earn them.'),
    currency: Currency,
    active_vouchers: z.array(ActiveVoucher),
    memberships: z.array(Membership.extend({ store_id: z.string() })).describe('The customer’s memberships of these stores.'),
    order_count: z.int().describe('Orders that were paid at these stores.'),
    last_visit_at: Instant.nullable().describe('When the customer was last at one of them. Null when that is not known.'),
    look: CardLook.describe('How the store wants its card to look.'),
  })
  .meta({ id: 'OwnCard', description: 'A card as its customer sees it.' });

const CardEntry = z
  .object({
    id: z.string().describe('The cursor of the next page.'),
    at: Instant,
    kind: z.enum(cardEntryKinds),
    change: z
      .int()
      .describe('What it added to the card. A voucher takes its stamps. 0 for what changed no count, such as a stamp that waits.'),
    count_after: z.int().describe('The stamps on the card after it.'),
    owed_after: z.int().describe('What the card owed after it.'),
    source: z
      .string()
      .nullable()
      .describe(
        'What a stamp was for: `order`, `visit`, `hub` (given at the counter), `multi_stamp`, `import`, or a code or tap. Null of a voucher.',
      ),
    order_id: z.string().nullable().describe('The order that earned the stamp or used the voucher.'),
    store_id: z.string().describe('The store where it happened.'),
    voucher_id: z.string().nullable().describe('Of a voucher, the voucher.'),
    reward_title: text.describe('Of a voucher, its reward.'),
    lost_by: z
      .enum(stampLosses)
      .nullable()
      .describe(
        'Why a stamp does not count: its order was refunded in full, or lost to the bank; the store corrected it, or did not approve it.',
      ),
  })
  .meta({ id: 'CardEntry' });

export const listMyCards = defineOperation({
  name: 'listMyCards',
  service,
  method: 'GET',
  path: '/api/v1/loyalty/mine',
  summary: 'Read the customer’s own cards.',
  description:
    'One for each programme of the stores where the customer was, the last visited first. A request that accepts text/event-stream follows them.',
  caller: customer,
  reply: z.object({ cards: z.array(OwnCard) }),
  problems: [],
  replay: 'none',
  revalidated: true,
  live: (_reply, { id }) => ({ customerid: id }),
  extension: true,
  example: {},
});

export const readCardHistory = defineOperation({
  name: 'readCardHistory',
  service,
  method: 'GET',
  path: '/api/v1/loyalty/mine/{store_id}/history',
  summary: 'Read what happened to the customer’s card at a store.',
  description:
    'Newest first: each stamp with what it was for, each stamp that was lost with why, and each reward with what became of it. All changes add up to stamp_count less owed. For the next page, send the id of the last entry as before.',
  caller: customer,
  params: z.object({ store_id: StoreId }),
  query: z.object({
    limit: queryInteger(z.int().min(1).max(100).default(50)).describe('Entries in a page.'),
    before: z.string().max(64).optional().describe('The id of the last entry of the page before.'),
  }),
  reply: z.object({ entries: z.array(CardEntry) }),
  problems: ['STORE_NOT_FOUND', 'INVALID_CURSOR'],
  replay: 'none',
  revalidated: true,
  extension: true,
  example: { params: { store_id: demoStore } },
});
