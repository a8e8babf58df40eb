import { z } from 'zod';
import { Position, PostalAddress } from '../directory/store-snapshot.ts';
import {
  Allergens,
  ChoiceId,
  Currency,
  CustomerId,
  diets,
  extension,
  Instant,
  MenuItemId,
  OrderId,
  Pence,
  SlotId,
  StoreId,
} from '../vocabulary.ts';
import { OfflineSale, Tender } from './tenders.ts';

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

export const cancellers = ['store', 'customer', 'system'] as const;
export type Canceller = (typeof cancellers)[number];

/** In the provider's test mode no money moves. */
export const providerModes = ['test', 'live'] as const;
export type ProviderMode = (typeof providerModes)[number];

export const orderChannels = ['phone', 'counter', 'partner'] as const;
export type OrderChannel = (typeof orderChannels)[number];

export const OrderLine = z
  .object({
    position: z.int().describe('The line within its order or leg, from 1.'),
    menu_item_id: z.string(),
    name: z.string(),
    quantity: z.int(),
    unit_price_pence: Pence.describe('The price of one, with its choices.'),
    total_pence: Pence,
    choices: z
      .array(
        z.object({
          option: z.string().describe('What was chosen, such as Milk.'),
          choice_id: ChoiceId,
          name: z.string(),
          price_pence: Pence.describe('What it adds to the price of one.'),
        }),
      )
      .describe('What the customer chose with the item.'),
    note: z.string().nullable().describe('What the customer wrote to the kitchen about it. Null for nothing.'),
    refunded: z.int().describe('Units that are refunded by line, or about to be.'),
  })
  .meta({ id: 'OrderLine', description: 'An order line, priced as it was when the order was placed.' });

const cancelledBy = z
  .enum(cancellers)
  .nullable()
  .describe('Who cancelled it; `system` is the service by itself. Null for an order that is not cancelled.');

const readyEstimate = extension(
  z
    .object({ at: Instant.describe('When it is expected to be ready.'), from: Instant, to: Instant })
    .optional()
    .describe(
      'When an order to collect now was quoted to be ready, as it was paid, by orders of 28 days with its items, hour and load: eight of ten were ready between from and to. Absent with fewer than 20.',
    ),
);

const uncollected = z
  .boolean()
  .describe('Whether it was ready and not collected, so that it ended after closing. It can still be handed over.');

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
    customer_id: extension(CustomerId.describe('The customer who placed the order.')),
    customer_name: extension(z.string().nullable().describe('The name of the customer who placed the order, where it is known.')),
    table_number: extension(z.string().nullable().describe('The table to serve the order at.')),
    parent_order_id: extension(OrderId.nullable().describe('Of a leg, the order it is a part of.')),
    revised_ready_at: extension(Instant.nullable().describe('The ready time of the latest delay notice.')),
    cancelled_by: extension(cancelledBy),
    uncollected: extension(uncollected),
    ready_estimate: readyEstimate,
    channel: extension(z.enum(orderChannels).describe('How it was placed.')),
    without_customer: extension(
      z.boolean().describe('Whether it was sold to someone who is not known. `customer_id` is then the id of the sale, and no one’s.'),
    ),
    eat_in: extension(z.boolean().nullable().describe('Whether it is eaten in. Null for an order from before that was kept.')),
    paid_at: extension(
      Instant.nullable().describe('When it was paid, or confirmed if there was nothing to pay. Null for one that never was.'),
    ),
    tenders: extension(
      z
        .array(Tender)
        .optional()
        .describe(
          'What a sale was paid with, in the order given; empty while it is open. Absent for a phone’s order, and in replies to a change.',
        ),
    ),
    offline: extension(OfflineSale.nullish().describe('Of a sale that a till made without a connection. Null for any other.')),
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

export const CustomerOrder = z
  .object({
    id: OrderId,
    store_id: StoreId,
    store_name: z.string(),
    order_number: z.string(),
    status: z.enum(orderStatuses).describe('Payment status.'),
    order_type: z.string(),
    fulfilment_status: z.string().nullable().describe('Null while unpaid, and for an order that is not collected.'),
    collection_code: z.string().nullable(),
    collection_mode: z.string().nullable(),
    table_number: z.string().nullable(),
    requested_collection_at: Instant.nullable().describe('Booked collection time.'),
    revised_ready_at: Instant.nullable().describe('The ready time of the latest delay notice.'),
    prep_minutes: z.int(),
    created_at: Instant.describe('With microseconds. Send it unchanged as `before`.'),
    accepted_at: Instant.nullable(),
    preparing_at: Instant.nullable(),
    ready_at: Instant.nullable(),
    collected_at: Instant.nullable(),
    total_pence: Pence.describe('What was or is to be paid, the tip included.'),
    currency: Currency,
    tip_pence: Pence,
    discount_pence: Pence.describe('What the voucher and the promo code took off.'),
    refunded_pence: Pence.describe('What was refunded so far.'),
    cancelled_by: cancelledBy,
    uncollected,
    ready_estimate: readyEstimate,
    items: z.array(OrderLine),
    children: z.array(OrderChild).describe('The collect children (legs) of a mixed order.'),
    receipt_url: z
      .string()
      .nullable()
      .describe(
        'The page of its receipt, with its credit notes. The address is all that opens it. Null while unpaid, and where the deployment has no public address.',
      ),
  })
  .meta({ id: 'CustomerOrder', description: 'An order as its customer sees it.' });

export const Store = z
  .object({
    id: StoreId,
    code: z.string().describe('Send it as store_code when you place an order.'),
    name: z.string(),
    currency: Currency,
    time_zone: z.string().describe('An IANA time zone.'),
    hours: z
      .array(z.object({ day: z.int().describe('1 is Monday.'), opens: z.string(), closes: z.string() }))
      .describe(
        'Weekly opening hours in the store’s time zone. Empty means always open. A closing time before the opening time is on the next day.',
      ),
    openings: z
      .array(z.object({ starts_at: Instant, ends_at: Instant }))
      .describe('When the store is open from the beginning of its day for seven days: its hours without its closures, the earliest first.'),
    takes_orders: z
      .enum(['now', 'scheduled', 'none'])
      .describe('Which orders the store takes at this moment: any; for a collection slot only; or none.'),
    reason: z.string().nullable().describe('Why the store does not take every order, as a sentence. Null when it does.'),
    address: extension(PostalAddress.nullable().describe('Where the store is. Null for a store that does not show its address.')),
    phone: extension(z.string().nullable().describe('The number that customers call, as E.164. Null for none.')),
    position: extension(Position.nullable().describe('Where the store is on a map. Null for none.')),
  })
  .meta({ id: 'Store' });

export const StoreMenuItem = z
  .object({
    id: MenuItemId.describe('Send it as menu_item_id when you place an order.'),
    name: z.string(),
    price_pence: Pence,
    prep_minutes: z.int(),
    sold_out: z
      .boolean()
      .describe(
        'Whether no order can take it: no unit is left, staff marked it as sold out, or an option that it needs has too few choices left.',
      ),
    category: z.string().nullable().describe('The part of the menu that it is in. Null for none.'),
    description: z.string().nullable().describe('Null for nothing.'),
    image_url: z.string().nullable().describe('A picture of it: an address, or a path at the gateway. Null for none.'),
    allergens: Allergens,
    diet: z.array(z.enum(diets)).describe('What it is fit for, without any choice.'),
    options: z
      .array(
        z.object({
          id: z.string(),
          name: z.string().describe('What customers choose, such as Milk.'),
          min: z.int().describe('How many choices an order must have. 0 when it may have none.'),
          max: z.int().describe('How many choices an order may have.'),
          choices: z.array(
            z.object({
              id: ChoiceId.describe('Send it in choices of a line.'),
              name: z.string(),
              price_pence: Pence.describe('What it adds to the price of one.'),
              allergens: Allergens,
              sold_out: z.boolean().describe('Whether no order can have it at the moment.'),
            }),
          ),
        }),
      )
      .describe('What customers choose with it.'),
    vat_by_place: extension(
      z
        .literal(true)
        .optional()
        .describe('That the VAT in its price, or in that of a choice, depends on whether it is eaten in. Absent when not.'),
    ),
  })
  .meta({ id: 'StoreMenuItem' });

export const OpenSlot = z
  .object({
    id: SlotId.describe('Send it as slot_id when you place an order.'),
    starts_at: Instant,
    ends_at: Instant,
    orders_remaining: z.int().nullable().describe('Orders that the slot can still take. Null when it is unlimited.'),
  })
  .meta({ id: 'OpenSlot', description: 'A collection slot that an order can be placed for.' });

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

export const businessStatuses = ['placed', 'ready', 'fulfilled', 'cancelled'] as const;
export type BusinessStatus = (typeof businessStatuses)[number];

/** The statuses that a correction restores: fulfilment statuses of a collect order, business statuses of any other. */
export const earlierStatuses = ['placed', 'accepted', 'preparing', 'ready'] as const;
export type EarlierStatus = (typeof earlierStatuses)[number];

export const maxOtherReceipts = 15;
