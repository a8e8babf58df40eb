import { z } from 'zod';
import { defineOperation, orPartner, staff } from '../operation.ts';
import { extension, InstantInput, mostPence, OrderId, Pence, queryInteger, StoreId } from '../vocabulary.ts';
import { basketFields, fulfilmentGroups, placingProblems, withLines } from './basket.ts';
import { Order } from './shapes.ts';
import { Tender } from './tenders.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const service = 'orders';
const mostTenders = 10;
/** A week. */
const mostSecondsAgo = 604_800;

const TenderToTake = z
  .object({
    kind: z
      .enum(['cash', 'external_card', 'none'])
      .describe('`external_card` is a card that the store’s own reader has charged. `none` is for an order that costs nothing.'),
    amount_pence: Pence.optional().describe('What it pays of the total. May be left out when there is no other tender.'),
    given_pence: Pence.max(mostPence)
      .optional()
      .describe('The cash that was handed over; what is too much is change. The amount when absent.'),
    reference: z.string().trim().min(1).max(64).optional().describe('What the card reader printed. Required for external_card.'),
  })
  .refine(({ kind, given_pence }) => given_pence === undefined || kind === 'cash', { path: ['given_pence'], error: 'is for cash' })
  .refine(({ kind, reference }) => (kind === 'external_card') === (reference !== undefined), {
    path: ['reference'],
    error: 'is required for external_card, and for nothing else',
  });

const TendersToTake = z.array(TenderToTake).min(1).max(mostTenders);

const tendersOfOrder = z.array(Tender).describe('What it was paid with, in the order given; of an open one the parts that were paid.');
const left_pence = extension(Pence.describe('What is left to pay. 0 once it is paid, or has ended.'));

const SoldOffline = z.object({
  sold_at: InstantInput.describe('When it was sold, by the clock of the till. One in the future counts as now.'),
  unit_prices_pence: z
    .array(Pence.max(mostPence))
    .max(100)
    .describe('The price of one of each line of items, with its choices, as the till showed it.'),
});

export const sellAtCounter = defineOperation({
  name: 'sellAtCounter',
  service,
  method: 'POST',
  path: '/api/v1/orders/at-counter',
  summary: 'Sell a basket at the counter.',
  description:
    'Prices the basket and takes what it holds as createOrder does, and is paid at once by the tenders; without tenders it stays open for twelve hours, until payByTenders pays it. One that costs nothing is paid at once in any case. No payment provider is called and no platform’s fee is taken. For staff, a pause and the opening hours do not count, nor does the store’s payment account; for a partner they do, but for the account. What staff sell is accepted as it is paid. A sale without a customer earns no stamps and sends no messages. A repeat with the same Idempotency-Key returns the same order. With `offline`, for staff, it is a sale in cash that a till made without a connection: it is recorded as it was shown, whatever is sold out, has another price or is off the menu by now, and the order says so; the stock of an item never goes below zero.',
  caller: orPartner(staff, 'orders:create'),
  query: z.object({
    sold_seconds_ago: queryInteger(z.int().min(0).max(mostSecondsAgo))
      .optional()
      .describe(
        'Of a sale of staff, with tenders, that is sent again because no response came: how long ago it was made. It is no part of the request that a repeat must equal. One of five seconds or more that had not arrived is recorded as one that a till made without a connection, at the prices of the menu.',
      ),
  }),
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
      offline: SoldOffline.optional().describe(
        'Of a sale that a till made without a connection: with tenders in cash, and without voucher, promo code, slot and groups.',
      ),
    }),
  ),
  reply: z.object({ order: Order, tenders: tendersOfOrder, left_pence }),
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

const part = z
  .boolean()
  .default(false)
  .describe('Whether they may pay a part of what is left. A single tender in cash without an amount pays what was given of it.');

export const payByTenders = defineOperation({
  name: 'payByTenders',
  service,
  method: 'POST',
  path: '/api/v1/orders/{orderId}/tenders',
  summary: 'Pay an open sale.',
  description:
    'Pays an open sale by tenders that sum to what is left of its total, all of them or none. With `part` they may be less: the sale stays open for the rest, until it is paid or cancelled, and no longer expires. What is cancelled is given back by its tenders. No tender is more than what is left, but for cash, of which the rest is change. Of two requests at once, the second finds what the first has left, or gets ORDER_ALREADY_PAID.',
  caller: orPartner(staff, 'orders:create'),
  params: z.object({ orderId: OrderId }),
  body: z.object({ store_id: StoreId, tenders: TendersToTake.describe('What it is paid with.'), part }),
  reply: z.object({ order: Order, tenders: tendersOfOrder, left_pence }),
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

export const listSales = defineOperation({
  name: 'listSales',
  service,
  method: 'GET',
  path: '/api/v1/orders/at-counter',
  summary: 'List the sales at the counter.',
  description:
    'state=paid returns the latest sales, the one paid last first; state=open returns those that wait for their payment, the one placed last first. Each with its tenders.',
  caller: staff,
  query: z.object({
    store_id: StoreId,
    state: z.enum(['paid', 'open']).default('paid').describe('Sales that were paid, or that are open.'),
    limit: queryInteger(z.int().min(1).max(100).default(10)).describe('Rows.'),
  }),
  reply: z.object({ sales: z.array(Order) }),
  problems: [],
  replay: 'none',
  extension: true,
  example: { query: { store_id: demoStore } },
});
