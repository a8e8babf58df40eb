import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { Currency, CustomerId, Instant, MenuItemId, OrderId, Pence, StampId, StoreId, VoucherId } from '../vocabulary.ts';
import { businessStatuses, cancellers, fulfilmentStatuses, orderChannels, providerModes } from './shapes.ts';
import { tenderKinds } from './tenders.ts';

const order = {
  order_id: OrderId.describe('The order, or the leg of a mixed order.'),
  order_number: z.string().describe('Its number at the store, as people say it.'),
  store_id: StoreId.describe('The store that took it.'),
  customer_id: CustomerId.describe('Who placed it, or whom it was sold to.'),
  without_customer: z
    .literal(true)
    .optional()
    .describe('Present for a sale to someone who is not known: `customer_id` is then the id of the sale, and no one’s.'),
};
const voucherOfOrder = VoucherId.nullable().describe('The voucher that was used for it. Null without one.');
const currencyOfOrder = Currency.describe('The currency of all amounts.');
const producers = ['orders'] as const;
const version = 1;

export const orderPaid = defineEvent({
  type: 'order.paid',
  producers,
  version,
  summary: 'An order was paid. Published once per order; for a mixed order once for the parent, with its legs in leg_ids.',
  data: z.object({
    ...order,
    paid_at: Instant.describe('When it was paid.'),
    total_pence: Pence.describe('What was paid, the tip included.'),
    tip_pence: Pence.describe('The tip in the total.'),
    net_of_tip_pence: Pence.describe('The total without the tip. A programme’s least spend is compared with it.'),
    currency: currencyOfOrder,
    voucher_id: voucherOfOrder,
    promo_code: z.string().nullable().describe('The promo code that was used. Null without one.'),
    is_first: z.boolean().describe('Whether it is the customer’s first paid order at the store.'),
    leg_ids: z.array(OrderId).describe('The collect children of a mixed order; empty for any other.'),
    channel: z.enum(orderChannels).optional().describe('How it was placed. Absent: by its customer’s phone.'),
    tenders: z
      .array(z.object({ kind: z.enum(tenderKinds).describe('What it is.'), amount_pence: Pence.describe('What it pays of the total.') }))
      .optional()
      .describe('What it was paid with, in the order given: they sum to the total. Absent: by the payment provider, or nothing.'),
  }),
});

export const depositPaid = defineEvent({
  type: 'deposit.paid',
  producers,
  version,
  summary: 'An order that pays the deposit of a booking was paid. Published with its order.paid.',
  data: z.object({
    ...order,
    booking_ref: z.guid().describe('The booking, as its events name it.'),
    menu_item_id: MenuItemId.describe('The only item of the order.'),
    paid_at: Instant.describe('When it was paid.'),
  }),
});

export const orderCustomerBound = defineEvent({
  type: 'order.customer_bound',
  producers,
  version,
  summary: 'A sale at the counter to someone who was not known is a customer’s now, who tapped the store’s tag just after it.',
  data: z.object({
    ...order,
    paid_at: Instant.describe('When it was paid.'),
    total_pence: Pence.describe('What was paid, the tip included.'),
    net_of_tip_pence: Pence.describe('The total without the tip. A programme’s least spend is compared with it.'),
    currency: currencyOfOrder,
    is_first: z.boolean().describe('Whether it is the customer’s first paid order at the store.'),
    stamp_id: StampId.describe('The stamp of the tap. It stands for the first stamp of the order.'),
  }),
});

const ended = z.object({
  ...order,
  voucher_id: voucherOfOrder,
  was_paid: z.boolean().describe('Whether it had been paid. The payment of a cancelled order stays until it is refunded.'),
  reason: z.string().nullable().describe('The note of the staff, or why the system ended it. Null when there is none.'),
});

export const orderCancelled = defineEvent({
  type: 'order.cancelled',
  producers,
  version,
  summary: 'An order was cancelled. A refund, if there is one, is an event of its own.',
  data: ended.extend({
    by: z.enum(cancellers).default('store').describe('Who cancelled it. `system` is the service by itself.'),
  }),
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
    refund_id: z.guid().describe('The refund.'),
    amount_pence: Pence.describe('What this refund returns.'),
    cumulative_pence: Pence.describe('What all refunds of the order return together.'),
    paid_pence: Pence.describe('What was paid.'),
    full: z.boolean().describe('Whether nothing is left to refund.'),
    voucher_id: voucherOfOrder,
    currency: currencyOfOrder,
  }),
});

export const orderRefundFailed = defineEvent({
  type: 'order.refund_failed',
  producers,
  version,
  summary: 'A refund failed at the payment provider, possibly days after it had been accepted. The customer does not get that money.',
  data: z.object({
    ...order,
    refund_id: z.guid().describe('The refund.'),
    amount_pence: Pence.describe('What it would have returned.'),
    cumulative_pence: Pence.describe('What all refunds of the order return together without it.'),
    currency: currencyOfOrder,
    was_accepted: z.boolean().describe('Whether the refund had been accepted before, so that order.refunded was published for it.'),
    was_full: z.boolean().describe('Whether nothing had been left to refund with it.'),
    reason: z.string().nullable().describe('The provider’s reason, for example `expired_or_canceled_card`. Null when it named none.'),
  }),
});

export const orderFulfilmentChanged = defineEvent({
  type: 'order.fulfilment_changed',
  producers,
  version,
  summary: 'The fulfilment status of a collect order changed. To an earlier status: staff corrected a mistake.',
  data: z.object({
    ...order,
    from: z.enum(fulfilmentStatuses).nullable().describe('The status before. Null at first.'),
    to: z.enum(fulfilmentStatuses).describe('The status now.'),
    at: Instant.describe('When it changed.'),
    collection_code: z.string().nullable().describe('What the customer says at the counter. Null without one.'),
    ready_from: Instant.nullish().describe(
      'The beginning of the spread in which it was quoted to be ready. Null without a quote; absent when it was accepted with its payment.',
    ),
    ready_to: Instant.nullish().describe('The end of that spread.'),
  }),
});

export const orderStatusChanged = defineEvent({
  type: 'order.status_changed',
  producers,
  version,
  summary: 'The business status of an order changed. To an earlier status: staff corrected a mistake.',
  data: z.object({
    ...order,
    from: z.enum(businessStatuses).nullable().describe('The status before. Null at first.'),
    to: z.enum(businessStatuses).describe('The status now.'),
    at: Instant.describe('When it changed.'),
  }),
});

export const orderUncollected = defineEvent({
  type: 'order.uncollected',
  producers,
  version,
  summary: 'An order was ready and not collected until some hours after closing, so it has ended. It can still be handed over.',
  data: z.object({ ...order, at: Instant.describe('When it ended.') }),
});

export const orderRunningLate = defineEvent({
  type: 'order.running_late',
  producers,
  version,
  summary: 'The store gave the order a later ready time; the customer is to be notified.',
  data: z.object({
    ...order,
    new_eta: Instant.describe('The new ready time.'),
    note: z.string().nullable().describe('What the staff wrote to the customer. Null without a note.'),
  }),
});

export const orderSlotMoved = defineEvent({
  type: 'order.slot_moved',
  producers,
  version,
  summary: 'A ready order moved to an earlier collection slot.',
  data: z.object({
    ...order,
    from_slot_id: z.guid().describe('The slot that it left.'),
    to_slot_id: z.guid().describe('The earlier slot that it has now.'),
    requested_collection_at: Instant.describe('The start of that slot.'),
  }),
});

export const paymentDisputed = defineEvent({
  type: 'payment.disputed',
  producers,
  version,
  summary:
    'The customer’s bank opened a dispute over the payment, or decided it. Lost: the bank paid the money back to the customer. Won: the money is the store’s again.',
  data: z.object({
    ...order,
    dispute_id: z.string().describe('The provider’s id of the dispute.'),
    state: z.enum(['opened', 'won', 'lost']).describe('What became of it.'),
    amount_pence: Pence.describe('The amount that is disputed.'),
    currency: currencyOfOrder,
    reason: z.string().nullable().describe('The bank’s reason, in the provider’s words, for example `product_not_received`.'),
    evidence_due_by: Instant.nullable().describe('The last moment for evidence. Null when the provider names none.'),
  }),
});

export const storeAccountChanged = defineEvent({
  type: 'store.account_changed',
  producers,
  version,
  summary:
    'The payment provider restricted the store’s account, or lifted the restriction. While it is restricted, the store takes no orders.',
  data: z.object({
    store_id: StoreId.describe('The store.'),
    accepts_orders: z.boolean().describe('Whether it takes orders now.'),
    reasons: z
      .array(z.string())
      .describe('What the provider asks for or why it restricted the account, in its words. Empty while the store takes orders.'),
    at: Instant.describe('When it changed.'),
  }),
});

export const storeAccountConnected = defineEvent({
  type: 'store.account_connected',
  producers,
  version,
  summary:
    'Payments can go to the account that was opened for a store. Published once per account. The directory then names it as the store’s connected account, unless that was changed meanwhile.',
  data: z.object({
    store_id: StoreId.describe('The store.'),
    account_id: z.string().describe('The id of the account at the payment provider.'),
    replaces: z.string().nullable().describe('The account that the store named before. Null for none.'),
    mode: z.enum(providerModes).describe('Whether its payments are real: `test` moves no money.'),
    at: Instant.describe('When it was connected.'),
  }),
});

export const storeOrdersRefused = defineEvent({
  type: 'store.orders_refused',
  producers,
  version,
  summary:
    'Orders were refused because the store’s account at the payment provider is restricted. Published at most once an hour for a store.',
  data: z.object({
    store_id: StoreId.describe('The store.'),
    refused: z.int().min(1).describe('Orders that were refused.'),
    since: Instant.describe('When the first of them was refused.'),
    reasons: z.array(z.string()).describe('Why the account is restricted, in the provider’s words.'),
    at: Instant.describe('When this was noticed.'),
  }),
});

export const storeSwitched = defineEvent({
  type: 'store.switched',
  producers,
  version,
  summary: 'Staff paused a store or took orders again, marked an item as sold out or ended that, or set how many of an item are left.',
  data: z.object({
    store_id: StoreId.describe('The store.'),
    menu_item_id: MenuItemId.nullable().describe('The item whose switches changed. Null when the pause changed.'),
    off: z.boolean().describe('Whether staff pause the store now, or mark the item as sold out.'),
    until: Instant.nullable().describe('When that ends. Null when it is not so, and when it lasts until the next change.'),
    left: z.int().nullable().describe('Units of the item that orders can take. Null for the pause, and when they are not counted.'),
    by_id: z.string().describe('Who did it: the subject of the token.'),
    at: Instant.describe('When it was done.'),
  }),
});
