import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { Currency, CustomerId, Instant, OrderId, Pence, StoreId, VoucherId } from '../vocabulary.ts';
import { businessStatuses, fulfilmentStatuses } from './shapes.ts';

const order = { order_id: OrderId, order_number: z.string(), store_id: StoreId, customer_id: CustomerId };
const producers = ['orders'] as const;
const version = 1;

export const orderPaid = defineEvent({
  type: 'order.paid',
  producers,
  version,
  summary: 'An order was paid. Published once per order; for a mixed order once for the parent, with its legs in leg_ids.',
  data: z.object({
    ...order,
    paid_at: Instant,
    total_pence: Pence,
    tip_pence: Pence,
    net_of_tip_pence: Pence,
    currency: Currency,
    voucher_id: VoucherId.nullable(),
    promo_code: z.string().nullable(),
    is_first: z.boolean(),
    leg_ids: z.array(OrderId),
  }),
});

const ended = z.object({ ...order, voucher_id: VoucherId.nullable(), was_paid: z.boolean(), reason: z.string().nullable() });

export const orderCancelled = defineEvent({
  type: 'order.cancelled',
  producers,
  version,
  summary: 'An order was cancelled. A refund, if there is one, is an event of its own.',
  data: ended,
});

export const orderExpired = defineEvent({
  type: 'order.expired',
  producers,
  version,
  summary: 'An unpaid order expired. Its payment intent was cancelled first.',
  data: ended,
});

export const orderRefunded = defineEvent({
  type: 'order.refunded',
  producers,
  version,
  summary: 'The payment provider accepted a refund. full is true when the whole amount is now refunded.',
  data: z.object({
    ...order,
    refund_id: z.guid(),
    amount_pence: Pence,
    cumulative_pence: Pence,
    paid_pence: Pence,
    full: z.boolean(),
    voucher_id: VoucherId.nullable(),
    currency: Currency,
  }),
});

export const orderRefundFailed = defineEvent({
  type: 'order.refund_failed',
  producers,
  version,
  summary: 'A refund failed at the payment provider, possibly days after it had been accepted. The customer does not get that money.',
  data: z.object({
    ...order,
    refund_id: z.guid(),
    amount_pence: Pence,
    cumulative_pence: Pence,
    currency: Currency,
    /** Whether the refund had been accepted before, so that order.refunded was published for it. */
    was_accepted: z.boolean(),
    was_full: z.boolean(),
    /** The provider's reason, for example `expired_or_canceled_card`. Null when it named none. */
    reason: z.string().nullable(),
  }),
});

export const orderFulfilmentChanged = defineEvent({
  type: 'order.fulfilment_changed',
  producers,
  version,
  summary: 'The fulfilment status of a collect order changed.',
  data: z.object({
    ...order,
    from: z.enum(fulfilmentStatuses).nullable(),
    to: z.enum(fulfilmentStatuses),
    at: Instant,
    collection_code: z.string().nullable(),
  }),
});

export const orderStatusChanged = defineEvent({
  type: 'order.status_changed',
  producers,
  version,
  summary: 'The business status of an order changed.',
  data: z.object({ ...order, from: z.enum(businessStatuses).nullable(), to: z.enum(businessStatuses), at: Instant }),
});

export const orderRunningLate = defineEvent({
  type: 'order.running_late',
  producers,
  version,
  summary: 'The store gave the order a later ready time; the customer is to be notified.',
  data: z.object({ ...order, new_eta: Instant, note: z.string().nullable() }),
});

export const orderSlotMoved = defineEvent({
  type: 'order.slot_moved',
  producers,
  version,
  summary: 'A ready order moved to an earlier collection slot.',
  data: z.object({ ...order, from_slot_id: z.guid(), to_slot_id: z.guid(), requested_collection_at: Instant }),
});

export const paymentDisputed = defineEvent({
  type: 'payment.disputed',
  producers,
  version,
  summary:
    'The customer’s bank opened a dispute over the payment, or decided it. Lost: the bank paid the money back to the customer. Won: the money is the store’s again.',
  data: z.object({
    ...order,
    /** The provider's id of the dispute. */
    dispute_id: z.string(),
    state: z.enum(['opened', 'won', 'lost']),
    amount_pence: Pence,
    currency: Currency,
    /** The bank's reason, in the provider's words, for example `product_not_received`. */
    reason: z.string().nullable(),
    /** The last moment for evidence. Null when the provider names none. */
    evidence_due_by: Instant.nullable(),
  }),
});

export const storeAccountChanged = defineEvent({
  type: 'store.account_changed',
  producers,
  version,
  summary:
    'The payment provider restricted the store’s account, or lifted the restriction. While it is restricted, the store takes no orders.',
  data: z.object({
    store_id: StoreId,
    accepts_orders: z.boolean(),
    /** What the provider asks for or why it restricted the account, in its words. Empty while the store accepts orders. */
    reasons: z.array(z.string()),
    at: Instant,
  }),
});

export const storeOrdersRefused = defineEvent({
  type: 'store.orders_refused',
  producers,
  version,
  summary:
    'Orders were refused because the store’s account at the payment provider is restricted. Published at most once an hour for a store.',
  data: z.object({ store_id: StoreId, refused: z.int().min(1), since: Instant, reasons: z.array(z.string()), at: Instant }),
});
