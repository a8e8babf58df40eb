import { z } from 'zod';
import { defineOperation, orPartner, staff } from '../operation.ts';
import { Instant, OrderId, Pence, StoreId } from '../vocabulary.ts';
import { basketFields, fulfilmentGroups, placingProblems, withLines } from './basket.ts';
import { Order, tenderKinds } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'orders';
const mostTenders = 10;

const TenderToTake = z
  .object({
    kind: z
      .enum(['cash', 'external_card', 'none'])
      .describe('`external_card` is a card that the store’s own reader has charged. `none` is for an order that costs nothing.'),
    amount_pence: Pence.optional().describe('What it pays of the total. May be left out when there is no other tender.'),
    given_pence: Pence.optional().describe('The cash that was handed over; what is too much is change. The amount when absent.'),
    reference: z.string().trim().min(1).max(64).optional().describe('What the card reader printed. Required for external_card.'),
  })
  .refine(({ kind, given_pence }) => given_pence === undefined || kind === 'cash', { path: ['given_pence'], error: 'is for cash' })
  .refine(({ kind, reference }) => (kind === 'external_card') === (reference !== undefined), {
    path: ['reference'],
    error: 'is required for external_card, and for nothing else',
  });

const TendersToTake = z.array(TenderToTake).min(1).max(mostTenders);

const Tender = z.object({
  kind: z.enum(tenderKinds),
  amount_pence: Pence.describe('What it paid of the total.'),
  given_pence: Pence.nullable().describe('The cash that was handed over. Null for any other tender.'),
  change_pence: Pence.nullable().describe('The change. Null for any other tender than cash.'),
  reference: z.string().nullable().describe('What the card reader printed. Null for any other tender.'),
  refunded_pence: Pence.describe('What refunds gave back of it.'),
  at: Instant.describe('When it was taken.'),
});

const tendersOfOrder = z.array(Tender).describe('What it was paid with, in the order given. Empty while it is open.');

export const sellAtCounter = defineOperation({
  name: 'sellAtCounter',
  service,
  method: 'POST',
  path: '/api/v1/orders/at-counter',
  summary: 'Sell a basket at the counter.',
  description:
    'Prices the basket and takes what it holds as createOrder does, and is paid at once by the tenders; without tenders it stays open for twelve hours, until payByTenders pays it. One that costs nothing is paid at once in any case. No payment provider is called and no platform’s fee is taken. For staff, a pause and the opening hours do not count, nor does the store’s payment account; for a partner they do, but for the account. What staff sell is accepted as it is paid. A sale without a customer earns no stamps and sends no messages. A repeat with the same Idempotency-Key returns the same order.',
  caller: orPartner(staff, 'orders:create'),
  body: withLines(
    z.object({
      store_id: StoreId,
      ...basketFields,
      fulfilment_groups: fulfilmentGroups,
      customer: z
        .string()
        .trim()
        .min(1)
        .max(320)
        .nullish()
        .describe(
          'Who buys: the customer’s id or the text that the QR code of a pass holds; for staff also a whole e-mail address or the last digits of a phone number, four at least, of a customer of the store. No one when absent.',
        ),
      tenders: TendersToTake.optional().describe('What it is paid with. It stays open when absent.'),
    }),
  ),
  reply: z.object({ order: Order, tenders: tendersOfOrder }),
  problems: [...placingProblems, 'CUSTOMER_NOT_FOUND', 'TENDERS_MISMATCH'],
  replay: 'header',
  extension: true,
  example: {
    body: {
      store_id: demoStore,
      items: [{ menu_item_id: 'flat-white', quantity: 2 }],
      tenders: [{ kind: 'cash', given_pence: 1000 }],
    },
  },
});

export const payByTenders = defineOperation({
  name: 'payByTenders',
  service,
  method: 'POST',
  path: '/api/v1/orders/{orderId}/tenders',
  summary: 'Pay an open sale.',
  description:
    'Pays an open sale by tenders that sum to its total, all of them or none: one request, also when several people pay. Of two requests for one order, one pays it, and the other gets ORDER_ALREADY_PAID.',
  caller: orPartner(staff, 'orders:create'),
  params: z.object({ orderId: OrderId }),
  body: z.object({ store_id: StoreId, tenders: TendersToTake.describe('What it is paid with.') }),
  reply: z.object({ order: Order, tenders: tendersOfOrder }),
  problems: ['ORDER_NOT_FOUND', 'ORDER_ALREADY_PAID', 'ORDER_TERMINAL', 'TENDERS_NOT_APPLICABLE', 'TENDERS_MISMATCH'],
  replay: 'header',
  extension: true,
  example: {
    params: { orderId: '0190a000-0000-7000-8000-0000000000e1' },
    body: {
      store_id: demoStore,
      tenders: [
        { kind: 'cash', amount_pence: 400 },
        { kind: 'external_card', amount_pence: 300, reference: '4711' },
      ],
    },
  },
});
