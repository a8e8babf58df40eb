import { z } from 'zod';
import { operatorRpc, ReadBy } from './operator.ts';
import { Currency, CustomerId, Day, Instant, OrderId, StoreId } from './vocabulary.ts';

export const messageStates = ['pending', 'sent', 'muted', 'superseded', 'failed'] as const;
export const messageChannels = ['push', 'email', 'sms'] as const;

export const MessageSummary = z.object({
  message_id: z.string(),
  created_at: Instant,
  channel: z.enum(messageChannels),
  state: z.enum(messageStates),
  type: z.string(),
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  order_id: z.string().nullable(),
  /** The recipient's address on this channel today, with most of it replaced by dots. Null when there is none. */
  masked_address: z.string().nullable(),
  attempts: z.int(),
  error: z.string().nullable(),
  sent_at: Instant.nullable(),
});
export type MessageSummary = z.output<typeof MessageSummary>;

export const listMessages = operatorRpc(
  'notifications',
  'messages.list',
  5_000,
  'Lists messages, newest first, without their text and with masked addresses, and counts those of the last day.',
  z.object({
    order_id: OrderId.optional(),
    customer_id: CustomerId.optional(),
    store_id: StoreId.optional(),
    channel: z.enum(messageChannels).optional(),
    state: z.enum(messageStates).optional(),
    after: z.guid().optional(),
    by: ReadBy,
    /** The role of the person named by the console; absent for an operator. Ignored from other callers. */
    role: z.enum(['merchant', 'staff']).optional(),
  }),
  z.object({
    messages: z.array(MessageSummary),
    /** Null on the last page. Each page looks at 10,000 messages at most, so one that is not the last may hold few messages or none. */
    next: z.string().nullable(),
    /** Counts of the last 24 hours, or of the newest 20,000 messages when there were more. */
    counts: z.array(z.object({ channel: z.enum(messageChannels), state: z.enum(messageStates), count: z.int() })),
  }),
);

const Amount = z.int();

export const dayOfMoney = operatorRpc(
  'orders',
  'day-of-money',
  5_000,
  'Returns what a store took, gave back and kept on one day, by the ledger.',
  z.object({ store_id: StoreId, date: Day }),
  z.object({
    store_id: z.string(),
    date: z.string(),
    currency: Currency,
    orders: z.int(),
    gross: Amount,
    /** Excludes refunds that the platform bears. */
    refunds: Amount,
    /** The platform's fees, less those that came back with refunds. */
    fees: Amount,
    /** The sum taken from the store for disputes, less the sum that came back. */
    dispute_shares: Amount,
    /** Gross less refunds, fees and dispute shares. */
    net: Amount,
    /** Oldest first; the first 2,000 of the day. The sums are of all. */
    entries: z.array(
      z.object({
        at: Instant,
        kind: z.enum(['charge', 'refund', 'refund_failed', 'transfer_reversal', 'transfer']),
        order_id: z.string(),
        order_number: z.string(),
        /** Negative when it leaves the store; 0 when it moves only the platform's money. */
        amount: Amount,
        /** Negative when it comes back to the store. */
        fee: Amount,
        provider_id: z.string(),
      }),
    ),
    /** Open now, whatever day they began, the most urgent first. */
    disputes: z.array(
      z.object({
        order_id: z.string(),
        order_number: z.string(),
        state: z.string(),
        amount: Amount,
        respond_by: Instant.nullable(),
      }),
    ),
  }),
  ['STORE_NOT_FOUND'],
);
