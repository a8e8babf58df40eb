import { z } from 'zod';
import type { EventContract } from '../event.ts';
import * as loyalty from '../loyalty/events.ts';
import * as orders from '../orders/events.ts';
import * as queue from '../queue/events.ts';
import { Instant, StoreId } from '../vocabulary.ts';

/**
 * An event that a store's own systems are sent. Its data is a part of the internal event's, named field by field: a new field is not public
 * until it is listed here. No field identifies a customer or holds text that people wrote.
 */
export interface PublicEvent {
  readonly event: EventContract;
  readonly type: string;
  /** The event's major version, since their data change together. */
  readonly version: number;
  readonly summary: string;
  readonly data: z.ZodObject;
}

const publish = <Data extends z.ZodObject>(event: EventContract<Data>, fields: readonly (keyof Data['shape'] & string)[]): PublicEvent => ({
  event,
  type: event.type,
  version: event.version,
  summary: event.summary,
  data: z.object(Object.fromEntries(fields.map((field) => [field, event.data.shape[field] as z.ZodType]))),
});

const order = ['order_id', 'order_number', 'store_id'] as const;
const entry = ['entry_ref', 'store_id', 'position', 'hold_until', 'left_by', 'joined_at', 'quoted_wait_min', 'at'] as const;
const booking = [
  ...([
    'booking_ref',
    'session_id',
    'store_id',
    'service_name',
    'starts_at',
    'ends_at',
    'previous_starts_at',
    'time_zone',
    'places',
  ] as const),
  ...(['party_size', 'status', 'cause', 'at'] as const),
] as const;
const session = [
  ...([
    'session_id',
    'store_id',
    'service_name',
    'starts_at',
    'ends_at',
    'previous_starts_at',
    'time_zone',
    'places',
    'taken',
    'at',
  ] as const),
] as const;
const stamp = ['stamp_id', 'store_id', 'source', 'order_id', 'stamp_count', 'goal', 'at_store_id', 'evidence'] as const;
const voucher = ['voucher_id', 'store_id', 'reward_title', 'order_id'] as const;

export const publicEvents: readonly PublicEvent[] = [
  publish(orders.orderPaid, [
    ...order,
    ...(['paid_at', 'total_pence', 'tip_pence', 'currency', 'voucher_id', 'promo_code', 'is_first', 'leg_ids'] as const),
    ...(['channel', 'tenders'] as const),
  ]),
  publish(orders.orderFulfilmentChanged, [...order, 'from', 'to', 'ready_from', 'ready_to', 'at']),
  publish(orders.orderStatusChanged, [...order, 'from', 'to', 'at']),
  publish(orders.orderRunningLate, [...order, 'new_eta']),
  publish(orders.orderSlotMoved, [...order, 'from_slot_id', 'to_slot_id', 'requested_collection_at']),
  publish(orders.orderUncollected, [...order, 'at']),
  publish(orders.orderCancelled, [...order, 'voucher_id', 'was_paid', 'by']),
  publish(orders.orderExpired, [...order, 'voucher_id']),
  publish(orders.orderRefunded, [
    ...order,
    ...(['refund_id', 'amount_pence', 'cumulative_pence', 'paid_pence', 'full', 'voucher_id', 'currency'] as const),
  ]),
  publish(orders.orderRefundFailed, [
    ...order,
    ...(['refund_id', 'amount_pence', 'cumulative_pence', 'currency', 'was_accepted', 'was_full', 'reason'] as const),
  ]),
  publish(orders.paymentDisputed, [
    ...order,
    ...(['dispute_id', 'state', 'amount_pence', 'currency', 'reason', 'evidence_due_by'] as const),
  ]),
  publish(orders.storeSwitched, ['store_id', 'menu_item_id', 'off', 'until', 'left', 'at']),
  publish(orders.storeAccountChanged, ['store_id', 'accepts_orders', 'reasons', 'at']),
  publish(orders.storeOrdersRefused, ['store_id', 'refused', 'since', 'reasons', 'at']),
  publish(queue.queueJoined, entry),
  publish(queue.queueClaimed, entry),
  publish(queue.queueCalled, entry),
  publish(queue.queueRecalled, entry),
  publish(queue.queueAssigned, entry),
  publish(queue.queueLeft, entry),
  publish(queue.queueNoShow, entry),
  publish(queue.queueCompleted, entry),
  publish(queue.queueConverted, entry),
  publish(queue.queueReopened, entry),
  publish(queue.bookingMade, booking),
  publish(queue.bookingConfirmed, booking),
  publish(queue.bookingMoved, booking),
  publish(queue.bookingCancelled, booking),
  publish(queue.bookingArrived, booking),
  publish(queue.bookingDone, booking),
  publish(queue.bookingNoShow, booking),
  publish(queue.bookingReopened, booking),
  publish(queue.sessionChanged, session),
  publish(queue.sessionCancelled, session),
  publish(loyalty.stampPending, stamp),
  publish(loyalty.stampApproved, stamp),
  publish(loyalty.stampRejected, stamp),
  publish(loyalty.stampUndone, stamp),
  publish(loyalty.stampReversed, stamp),
  publish(loyalty.multiStampConfirmed, ['store_id', 'stamps', 'stamp_count', 'goal']),
  publish(loyalty.voucherMinted, voucher),
  publish(loyalty.voucherRedeemed, voucher),
  publish(loyalty.voucherRestored, voucher),
  publish(loyalty.voucherVoided, voucher),
  publish(loyalty.voucherExpiring, [...voucher, 'expires_at']),
  publish(loyalty.voucherExpired, voucher),
];

/** Sent to one webhook by its test button, and numbered as any event. */
export const webhookTest = {
  type: 'webhook.test',
  version: 1,
  summary: 'Someone at the store pressed the test button.',
  data: z.object({ store_id: StoreId.describe('The store of the webhook.'), at: Instant.describe('When it was pressed.') }),
} as const;

/** Sent before any event; a receiver accepts events by sending the value back. It has no number. */
export const webhookChallenge = {
  type: 'webhook.challenge',
  version: 1,
  summary: 'A webhook has this address: whether its receiver wants events.',
  data: z.object({ challenge: z.string().describe('What the response is to say.') }),
} as const;

export const publicEventTypes: readonly string[] = publicEvents.map(({ type }) => type);

/** The body of a webhook's request, and of an event in the feed: JSON, without spaces, in this order. */
export const WebhookPayload = z
  .object({
    type: z.string().describe('What happened.'),
    version: z.int().describe('The major version of `data`.'),
    timestamp: Instant.describe('When it happened.'),
    number: z
      .int()
      .describe('The event’s number at this webhook: 1, 2, 3 … without gaps. The same event has the same number in every attempt.'),
    webhook_id: z.guid().describe('The webhook.'),
    store_id: StoreId.describe('The store.'),
    event_id: z.guid().describe('The event. Two webhooks of a store are sent the same event under different numbers.'),
    data: z.record(z.string(), z.unknown()).describe('What the event says, by its type and version.'),
  })
  .meta({ id: 'WebhookPayload', description: 'An event, as a webhook is sent it.' });
export type WebhookPayload = z.output<typeof WebhookPayload>;

export const webhookBodyOf = ({ type, version, data }: Pick<PublicEvent, 'type' | 'version' | 'data'>) =>
  z.intersection(WebhookPayload, z.object({ type: z.literal(type), version: z.literal(version), data }));
