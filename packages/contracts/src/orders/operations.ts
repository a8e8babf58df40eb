import { z } from 'zod';
import { customer, defineOperation, manager, merchant, orPartner, staff } from '../operation.ts';
import {
  ClientKey,
  Currency,
  Day,
  extension,
  Instant,
  InstantInput,
  OrderId,
  queryInteger,
  RefundAttemptId,
  SlotId,
  StoreId,
} from '../vocabulary.ts';
import { basketFields, fulfilmentGroups, placingProblems, withLines } from './basket.ts';
import { earlierStatuses, fulfilmentStatuses, Order, OrderChild, OrderLogEntry, OrderStatusView, Refund } from './shapes.ts';

export * from './account-operations.ts';
export * from './counter-operations.ts';
export * from './customer-operations.ts';
export * from './drawer-operations.ts';
export * from './report-operations.ts';
export * from './story-operations.ts';
export * from './switch-operations.ts';
export * from './ticket-operations.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const someOrder = '0190a000-0000-7000-8000-0000000000e1';
const someSlot = '0190a000-0000-7000-8000-0000000000f1';

const OrderPath = z.object({ orderId: OrderId });

export const listOrders = defineOperation({
  name: 'listOrders',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders',
  summary: 'List the orders of a store.',
  description:
    'scope=active returns the live fulfilment queue, oldest due first. scope=history returns orders that have ended or are refunded in full, newest first. Both page alike: for the next page, send created_at and id of the last row as before and before_id. Without before_id the page starts with that row again; drop repeats by id. `q`, `from` and `to` narrow either list. Orders hold no phone number; a customer who was found by it elsewhere is sent as an id.',
  caller: orPartner(merchant, 'orders:read'),
  query: z
    .object({
      store_id: StoreId,
      q: extension(
        z
          .string()
          .trim()
          .min(2)
          .max(64)
          .optional()
          .describe(
            'Only the orders that this means: an order number (`S1-1042` or `1042`, with its legs), a collection code, the beginning of the customer’s name (at least three letters), or the customer’s id. The case of letters does not matter.',
          ),
      ),
      from: extension(
        Day.optional().describe(
          'Only orders of this day in the store’s time zone or later, such as 2026-05-01: by when they were due, in history by when they were placed.',
        ),
      ),
      to: extension(Day.optional().describe('Only orders of this day or earlier.')),
      scope: z.enum(['active', 'history']).default('active').describe('The live queue, or what has ended.'),
      limit: queryInteger(z.int().min(1).max(100).default(50)).describe('Rows in a page.'),
      before: z.string().optional().describe('The created_at of the last row of the previous page.'),
      before_id: OrderId.optional().describe('The id of the same row as before.'),
    })
    .refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], error: 'must not be before from' }),
  reply: z.object({ orders: z.array(Order), scope: z.enum(['active', 'history']) }),
  problems: ['INVALID_CURSOR'],
  replay: 'none',
  example: { query: { store_id: demoStore, scope: 'active' } },
});

export const createOrder = defineOperation({
  name: 'createOrder',
  service: 'orders',
  method: 'POST',
  path: '/api/v1/orders',
  summary: 'Place an order.',
  description:
    'Prices the basket from the store’s menu, holds the slot, stock, promo code and voucher, and returns a payment intent with an ephemeral key for the payment sheet. A repeat with the same idempotency_key and body returns the same order with its current status; after PAYMENT_PROVIDER_ERROR it takes again what the order had held, if it is still there. The same key with another body returns IDEMPOTENCY_KEY_REUSED.',
  caller: customer,
  body: withLines(
    z.object({
      store_code: z.string().min(1).max(32).describe('The public code of the store. It must belong to store_id.'),
      store_id: StoreId,
      idempotency_key: ClientKey.describe(
        'A UUID that the client generates for the order. A repeat with the same key returns the same order.',
      ),
      ...basketFields,
      booking_ref: extension(
        z
          .guid()
          .toLowerCase()
          .nullish()
          .describe(
            'The booking whose deposit this pays, as its deposit.booking_ref says: one unit of the deposit’s item and nothing else. Refunded when the booking waits for no such deposit by then, or is cancelled.',
          ),
      ),
      device_fingerprint: z
        .string()
        .max(512)
        .nullish()
        .describe('An opaque text by which the app recognises its device. Only a keyed hash of it is kept.'),
      fulfilment_groups: fulfilmentGroups,
    }),
  ),
  reply: z.object({
    order_id: OrderId,
    order_number: z.string(),
    status: z.string(),
    requires_payment: z.boolean().describe('True while the order awaits a payment.'),
    client_secret: z.string().nullable().describe('For the payment sheet. Keep it secret.'),
    ephemeral_key: z.string().nullable().describe('For the payment sheet. Keep it secret.'),
    payment_customer_id: z.string().nullable(),
    connected_account_id: z.string().describe('The store’s account at the payment provider.'),
    payment_intent_id: z.string().nullable(),
    amount_pence: z.number(),
    currency: Currency,
    merchant_name: z.string(),
    collection_code: z.string().nullish(),
    requested_collection_at: extension(
      Instant.nullish().describe('When it is to be ready: the start of its slot or of a later quarter of an hour. Null for at once.'),
    ),
    children: z.array(OrderChild).optional().describe('The collect children of a mixed order that costs nothing.'),
  }),
  problems: [
    ...placingProblems,
    'STORE_CODE_MISMATCH',
    'AMOUNT_BELOW_MINIMUM',
    'IDEMPOTENCY_KEY_REUSED',
    'PAYMENT_MODE_MISMATCH',
    'PAYMENT_PROVIDER_ERROR',
  ],
  replay: 'body',
  example: {
    body: {
      store_code: 'S1',
      store_id: demoStore,
      idempotency_key: '5f0c2f57-8f1e-4f0e-9a39-1d3a3f6f2b11',
      items: [
        { menu_item_id: 'flat-white', quantity: 2 },
        { menu_item_id: 'croissant', quantity: 1 },
      ],
      order_type: 'collect',
      collection_mode: 'now',
    },
  },
});

export const getOrder = defineOperation({
  name: 'getOrder',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders/{orderId}',
  summary: 'Read one order.',
  description: 'Returns 404 for an order of another store.',
  caller: orPartner(merchant, 'orders:read'),
  params: OrderPath,
  query: z.object({ store_id: StoreId }),
  reply: z.object({ order: Order }),
  problems: ['ORDER_NOT_FOUND'],
  replay: 'none',
  example: { params: { orderId: someOrder }, query: { store_id: demoStore } },
});

const withRefund = extension(
  z
    .boolean()
    .optional()
    .describe('Whether a cancelled order is refunded too: what is left of its payment, but for parts that were handed over.'),
);
const refundMade = extension(
  Refund.nullish().describe(
    'The refund that `refund` asked for; null when nothing was left to refund, or the order was not paid. Absent without it.',
  ),
);
/** If the requested refund has one of these problems, the order is not cancelled either. */
const refundProblems = ['ORDER_DISPUTED', 'REFUND_WINDOW_EXPIRED', 'REFUND_LIMIT_REACHED', 'INSUFFICIENT_ROLE'] as const;

export const advanceFulfilment = defineOperation({
  name: 'advanceFulfilment',
  service: 'orders',
  method: 'PATCH',
  path: '/api/v1/orders/{orderId}/fulfilment',
  summary: 'Set the fulfilment status of a collect order.',
  description:
    'The order of the statuses is accepted, preparing, ready, collected. An order that is not collected can be cancelled, which releases its slot, and its stock unless it is ready; with `refund` together with its refund: both happen, or neither. A repeat of the current status changes nothing.',
  caller: orPartner(staff, 'orders:write'),
  params: OrderPath,
  body: z
    .object({ store_id: StoreId, to_status: z.enum(fulfilmentStatuses).describe('The next status.'), refund: withRefund })
    .refine(({ to_status, refund }) => !refund || to_status === 'cancelled', { path: ['refund'], error: 'needs to_status cancelled' }),
  reply: z.object({ order: Order, refund: refundMade }),
  problems: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAID', 'INVALID_TRANSITION', 'FULFILMENT_NOT_APPLICABLE', ...refundProblems],
  replay: 'header',
  example: { params: { orderId: someOrder }, body: { store_id: demoStore, to_status: 'preparing' } },
});

export const orderLog = defineOperation({
  name: 'orderLog',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/orders/{orderId}/log',
  summary: 'Read the audit log of an order.',
  description:
    'Newest entry first: what was done, by whom, when and why. Without store_id, the token must authorise the store of the order.',
  caller: orPartner(merchant, 'orders:read'),
  params: OrderPath,
  query: z.object({ store_id: StoreId.optional().describe('The store of the order.') }),
  reply: z.object({ entries: z.array(OrderLogEntry) }),
  problems: ['ORDER_NOT_FOUND'],
  replay: 'none',
  example: { params: { orderId: someOrder }, query: { store_id: demoStore } },
});

export const notifyDelay = defineOperation({
  name: 'notifyDelay',
  service: 'orders',
  method: 'POST',
  path: '/api/v1/orders/{orderId}/notify-delay',
  summary: 'Notify the customer of a delay.',
  description:
    'Send delayMinutes or newReadyAt; newReadyAt is used when both are sent. The new time is stored beside the booked and the actual time. Further notices within a minute store their time, and one message is sent at the end of the minute.',
  caller: orPartner(staff, 'orders:write'),
  params: OrderPath,
  body: z.object({
    store_id: StoreId,
    delayMinutes: z.int().min(1).max(480).optional().describe('Minutes to add to the expected ready time.'),
    newReadyAt: InstantInput.optional().describe('The new ready time.'),
    note: z.string().trim().max(280).nullish().describe('Sent to the customer.'),
  }),
  reply: z.object({
    ok: z.boolean(),
    newEta: z.string().nullable().describe('The new ready time that was stored.'),
    notified: z.enum(['push', 'email', 'none']).describe('The channel of the message to the customer.'),
    channel_detail: z.string().optional(),
  }),
  problems: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAID', 'ORDER_TERMINAL', 'INVALID_ETA'],
  replay: 'header',
  example: { params: { orderId: someOrder }, body: { store_id: demoStore, delayMinutes: 10, note: 'The oven is slow today.' } },
});

export const refundOrder = defineOperation({
  name: 'refundOrder',
  service: 'orders',
  method: 'POST',
  path: '/api/v1/orders/{orderId}/refund',
  summary: 'Refund an order, in full or in part.',
  description:
    'Without amount_pence and lines, refunds all that is left. A refund by line is of what was paid for the units: their share of the discounts is taken off, and the tip stays. A retry with the same refund_attempt_id (or, without one, the same Idempotency-Key) never refunds twice; each new id is a further refund. An attempt is repeated only for what it asked for, lines, an amount or all; anything else returns IDEMPOTENCY_KEY_REUSED. Without refund_attempt_id, a request after a refund that was declined or failed is a new attempt. Once the whole amount is refunded, the stamps are taken back and the promo code can be used again.',
  caller: orPartner(staff, 'orders:refund'),
  params: OrderPath,
  body: z
    .object({
      store_id: StoreId,
      reason: z.string().trim().min(1).max(500).describe('Stored in the order log.'),
      amount_pence: z.int().min(1).nullish().describe('The amount to refund. All that is left when absent.'),
      lines: extension(
        z
          .array(
            z.object({
              position: z.int().min(1).describe('The line of this order or leg.'),
              quantity: z.int().min(1).max(99).describe('How many units of it.'),
              restock: z.boolean().default(false).describe('Whether the units go back on sale once the refund is accepted.'),
            }),
          )
          .min(1)
          .max(100)
          .refine((lines) => new Set(lines.map(({ position }) => position)).size === lines.length, 'names a line twice')
          .nullish()
          .describe('The units to refund, instead of an amount.'),
      ),
      refund_attempt_id: RefundAttemptId.nullish().describe('A UUID that the client generates for each refund.'),
    })
    .refine(({ amount_pence, lines }) => !amount_pence || !lines, {
      path: ['amount_pence'],
      error: 'must be left out when lines are sent',
    }),
  reply: z.object({ refund: Refund }),
  problems: [
    'ORDER_NOT_FOUND',
    'ORDER_NOT_PAID',
    'REFUND_WINDOW_EXPIRED',
    'ALREADY_REFUNDED',
    'ORDER_DISPUTED',
    'REFUND_LIMIT_REACHED',
    'REFUND_AMOUNT_EXCEEDS_REMAINING',
    'REFUND_LINES_EXCEED_REMAINING',
    'INSUFFICIENT_ROLE',
    'PAYMENT_MODE_MISMATCH',
    'REFUND_REJECTED',
  ],
  replay: 'header',
  example: { params: { orderId: someOrder }, body: { store_id: demoStore, reason: 'The croissant was cold.', amount_pence: 290 } },
});

export const setBusinessStatus = defineOperation({
  name: 'setBusinessStatus',
  service: 'orders',
  method: 'PATCH',
  path: '/api/v1/orders/{orderId}/status',
  summary: 'Set the business status of an order.',
  description:
    'A repeat of the current status changes nothing. Cancelling releases the slot, and the stock of goods that were not made yet: what is ready stays taken. It refunds nothing of a paid order, unless `refund` is sent: then both happen, or neither; refundable_pence and the log say what can be refunded. The payment intent of an unpaid order is cancelled first, and a payment that succeeds meanwhile is refunded.',
  caller: orPartner(staff, 'orders:status'),
  params: OrderPath,
  body: z
    .object({
      store_id: StoreId,
      status: z.enum(['ready', 'fulfilled', 'cancelled']).describe('The new status.'),
      refund: withRefund,
      note: z.string().trim().max(500).nullish().describe('Required to correct an earlier status.'),
    })
    .refine(({ status, refund }) => !refund || status === 'cancelled', { path: ['refund'], error: 'needs status cancelled' }),
  reply: z.object({ order: OrderStatusView, refund: refundMade }),
  problems: [
    'ORDER_NOT_FOUND',
    'ORDER_NOT_PAID',
    'INVALID_TRANSITION',
    'NOTE_REQUIRED',
    'PAYMENT_MISMATCH',
    'PAYMENT_PROVIDER_ERROR',
    ...refundProblems,
  ],
  replay: 'header',
  example: { params: { orderId: someOrder }, body: { store_id: demoStore, status: 'fulfilled' } },
});

export const correctOrder = defineOperation({
  name: 'correctOrder',
  service: 'orders',
  method: 'POST',
  path: '/api/v1/orders/{orderId}/correct',
  summary: 'Take back a status that was set by mistake.',
  description:
    'A status goes back to the one before it: of a collect order preparing to accepted, ready to preparing, collected to ready; of any other ready to placed, fulfilled to ready. The times of what is taken back are cleared, and no money and no stamp moves. A customer who was notified that the order is ready is notified that it is not. A leg that is open again opens its order. Nothing comes back from cancelled, nor an order whose payment is refunded in full. A repeat of the current status changes nothing.',
  caller: manager,
  params: OrderPath,
  body: z.object({
    store_id: StoreId,
    to_status: z.enum(earlierStatuses).describe('The status that is true. `placed` is for an order that is not collected.'),
    reason: z.string().trim().min(3).max(200).describe('Why the status was wrong. Stored in the order log.'),
  }),
  reply: z.object({ order: Order }),
  problems: ['ORDER_NOT_FOUND', 'ORDER_NOT_PAID', 'INVALID_TRANSITION', 'INSUFFICIENT_ROLE'],
  replay: 'header',
  extension: true,
  example: { params: { orderId: someOrder }, body: { store_id: demoStore, to_status: 'preparing', reason: 'It was another order.' } },
});

export const collectEarlier = defineOperation({
  name: 'collectEarlier',
  service: 'orders',
  method: 'POST',
  path: '/api/v1/orders/collect-earlier',
  summary: 'Move a ready order to an earlier collection slot.',
  description:
    'The first customer gets the place: if the slot is full, the order keeps its slot. A repeat with the slot it already has changes nothing.',
  caller: customer,
  body: z.object({ store_id: StoreId, order_id: OrderId, slot_id: SlotId.describe('The earlier slot.') }),
  reply: z.object({
    to_slot_id: SlotId,
    requested_collection_at: z.string().describe('The start of the slot, ISO 8601 in UTC.'),
    orders_remaining: z.int().nullable().describe('Orders that the slot can still take. Null when it is unlimited.'),
  }),
  problems: ['ORDER_NOT_FOUND', 'NOT_EARLIER', 'SLOT_JUST_FILLED', 'SLOT_CLOSED', 'SLOT_NOT_FOUND', 'ORDER_NOT_READY', 'ORDER_HAS_NO_SLOT'],
  replay: 'header',
  example: { body: { store_id: demoStore, order_id: someOrder, slot_id: someSlot } },
});

export const confirmOrder = defineOperation({
  name: 'confirmOrder',
  service: 'orders',
  method: 'POST',
  path: '/api/v1/orders/confirm',
  summary: 'Confirm an order after the payment sheet succeeded.',
  description:
    'Reads the payment at the payment provider, marks the order paid once, and awards its stamps. Safe to repeat, and safe to run at the same time as the provider’s webhook. If the loyalty service does not reply in time, the stamps follow later and their fields are absent.',
  caller: customer,
  body: z.object({
    store_id: StoreId,
    payment_intent_id: z.string().min(1).max(255).describe('The payment intent that createOrder returned.'),
  }),
  reply: z.object({
    order_id: OrderId,
    order_number: z.string(),
    status: z.string(),
    payment_intent_id: z.string(),
    order_type: z.string(),
    fulfilment_status: z.string(),
    total_pence: z.number().nullable(),
    currency: z.string().nullable(),
    collection_code: z.string().nullable(),
    prep_minutes: z.number().nullable(),
    applied_voucher_id: z.string().nullish(),
    applied_promo_code: z.string().nullish(),
    applied_promo_label: z.string().nullish(),
    collection_mode: z.string().nullish(),
    requested_collection_at: z.string().nullish(),
    reward_title: z.string().nullish(),
    reward_unlock_message: z.string().nullish(),
    welcome_message: z.string().nullish(),
    subtotal_pence: z.number().nullish(),
    discount_pence: z.number().nullish(),
    promo_discount_pence: z.number().nullish(),
    voucher_discount_pence: z.number().nullish(),
    loyalty_awarded: z.boolean().optional(),
    voucher_minted: z.boolean().optional(),
    is_first_order: z.boolean().optional(),
    ask_marketing_opt_in: z.boolean().nullish(),
    stamps_added: z.number().optional(),
    stamp_count: z.number().optional(),
    goal: z.number().optional(),
    children: z.array(OrderChild).optional(),
  }),
  problems: [
    'ORDER_NOT_FOUND',
    'PAYMENT_NOT_SUCCEEDED',
    'PAYMENT_MISMATCH',
    'PAYMENT_INTENT_NOT_ON_PLATFORM',
    'PAYMENT_MODE_MISMATCH',
    'PAYMENT_PROVIDER_ERROR',
  ],
  replay: 'header',
  example: { body: { store_id: demoStore, payment_intent_id: 'pi_example' } },
});
