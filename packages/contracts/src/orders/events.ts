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
  summary: 'An order was cancelled. No money was refunded.',
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
  }),
});

export const orderRefundFailed = defineEvent({
  type: 'order.refund_failed',
  producers,
  version,
  summary: 'A refund that had been accepted failed at the payment provider, possibly days later.',
  data: z.object({ ...order, refund_id: z.guid(), amount_pence: Pence, cumulative_pence: Pence, was_full: z.boolean() }),
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
  summary: 'The customer’s bank opened or closed a dispute over the payment.',
  data: z.object({ ...order, open: z.boolean() }),
});
