import { z } from 'zod';
import { Currency, extension, Instant, OrderId, Pence, StoreId } from '../vocabulary.ts';

export const OrderLine = z
  .object({
    menu_item_id: z.string(),
    name: z.string(),
    quantity: z.int(),
    unit_price_pence: Pence,
    total_pence: Pence,
  })
  .meta({ id: 'OrderLine', description: 'An order line, priced as it was when the order was placed.' });

export const Order = z
  .object({
    id: OrderId,
    store_id: StoreId,
    order_type: z.string(),
    fulfilment_status: z.string().nullable(),
    collection_code: z.string().nullable(),
    collection_mode: z.string().nullable(),
    requested_collection_at: Instant.nullable().describe('Booked collection time.'),
    accepted_at: Instant.nullable(),
    preparing_at: Instant.nullable(),
    ready_at: Instant.nullable().describe('Actual ready time. A delay notice never changes it.'),
    collected_at: Instant.nullable(),
    created_at: extension(Instant.describe('With microseconds. Send it unchanged as `before`.')),
    order_number: extension(z.string()),
    status: extension(z.string().describe('Payment status.')),
    total_pence: extension(Pence.describe('What was or is to be paid, the tip included. Of a leg, its share.')),
    currency: extension(Currency),
    tip_pence: extension(Pence.describe('The tip in the total. A leg has none.')),
    discount_pence: extension(Pence.describe('What the voucher and the promo code took off. Of a leg, its share.')),
    refunded_pence: extension(Pence.describe('What was refunded so far.')),
    disputed: extension(z.boolean().describe('Whether the customer’s bank disputes the payment.')),
    customer_name: extension(z.string().nullable().describe('The name of the customer who placed the order, where it is known.')),
    table_number: extension(z.string().nullable().describe('The table to serve the order at.')),
    parent_order_id: extension(OrderId.nullable().describe('Of a leg, the order it is a part of.')),
    revised_ready_at: extension(Instant.nullable().describe('The ready time of the latest delay notice.')),
    items: extension(z.array(OrderLine)),
  })
  .meta({ id: 'Order' });

export const OrderStatusView = z
  .object({
    id: OrderId,
    store_id: StoreId,
    status: z.string().nullable(),
    order_type: z.string().nullable(),
    fulfilled_at: Instant.nullable(),
    cancelled_at: Instant.nullable(),
    refundable_pence: extension(
      Pence.nullable().describe(
        'Of a cancelled order, what is left of its payment to refund: a paid one keeps it until it is refunded. Null for any other status.',
      ),
    ),
  })
  .meta({ id: 'OrderStatusView' });

export const OrderChild = z
  .object({
    order_id: OrderId,
    order_number: z.string(),
    order_type: z.string(),
    collection_code: z.string().nullable(),
    fulfilment_status: z.string(),
    prep_minutes: z.number().nullable(),
    requested_collection_at: Instant.nullable(),
    total_pence: z.number().nullable(),
  })
  .meta({ id: 'OrderChild', description: 'A collect child (leg) of a mixed order.' });

export const OrderLogEntry = z
  .object({
    at: Instant,
    title: z.string().describe('A sentence for the merchant.'),
    detail: z.string().nullable().describe('The reason that was typed, if there was one.'),
    actor: z.string().nullable(),
    amount_pence: z.number().nullable(),
  })
  .meta({ id: 'OrderLogEntry' });

export const Refund = z
  .object({
    id: z.string(),
    status: z.string().nullable(),
    amount: z.number(),
  })
  .meta({ id: 'Refund' });

export const fulfilmentStatuses = ['accepted', 'preparing', 'ready', 'collected', 'cancelled'] as const;
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number];

/** The payment status of an order: `status` in the replies of create, confirm and the order reads. */
export const orderStatuses = [
  'pending_payment',
  'payment_failed',
  'paid',
  'partially_refunded',
  'refunded',
  'cancelled',
  'expired',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const businessStatuses = ['placed', 'ready', 'fulfilled', 'cancelled'] as const;
export type BusinessStatus = (typeof businessStatuses)[number];
