import { z } from 'zod';
import { operatorRpc } from './operator.ts';
import { CustomerId, Instant, OrderId, StoreId } from './vocabulary.ts';

/** RPCs for operators about what one service owns. */

export const messageStates = ['pending', 'sent', 'muted', 'superseded', 'failed'] as const;
export const messageChannels = ['push', 'email', 'sms'] as const;

/** A message without its text. */
export const MessageSummary = z.object({
  message_id: z.string(),
  created_at: Instant,
  channel: z.enum(messageChannels),
  state: z.enum(messageStates),
  /** What it says: `order.ready`, `stamp.approved` and so on. */
  type: z.string(),
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  /** Of a message about an order's progress, time or receipt; null for others. */
  order_id: z.string().nullable(),
  /** The recipient's address on this channel today, with most of it replaced by dots. Null when there is none. */
  masked_address: z.string().nullable(),
  attempts: z.int(),
  /** Why it was not sent, or why the last attempt failed. */
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
    /** The `next` of the page before. */
    after: z.guid().optional(),
  }),
  z.object({
    messages: z.array(MessageSummary),
    /** Where the next page begins; null on the last. A page may hold few messages, or none, and yet not be the last: each looks at 10,000 at most. */
    next: z.string().nullable(),
    /** Of the last 24 hours, or of the newest 20,000 messages when there were more. */
    counts: z.array(z.object({ channel: z.enum(messageChannels), state: z.enum(messageStates), count: z.int() })),
  }),
);
