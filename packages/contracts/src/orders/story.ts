import { z } from 'zod';
import { noStampDecisions } from '../loyalty/shapes.ts';
import { orderMessages } from '../notifications/shapes.ts';
import { Instant, Pence } from '../vocabulary.ts';
import { cancellers } from './shapes.ts';

/** Entries of one moment are in this order. The list may grow: an app prints the text of an unknown kind. */
export const storyKinds = [
  'placed',
  'promo_used',
  'voucher_used',
  'payment_declined',
  'paid',
  'paid_too_late',
  'accepted',
  'preparing',
  'ready',
  'collected',
  'not_collected',
  'corrected',
  'delayed',
  'collect_earlier',
  'cancelled',
  'expired',
  'refund_requested',
  'partly_refunded',
  'refunded',
  'refund_failed',
  'disputed',
  'dispute_won',
  'dispute_lost',
  'voucher_returned',
  'stamps_earned',
  'reward_earned',
  'stamps_taken_back',
  'no_stamp',
  'receipt_sent',
  'message_sent',
  'message_failed',
  'message_muted',
] as const;
export type StoryKind = (typeof storyKinds)[number];

export const noStampReasons = [
  ...noStampDecisions,
  'not_paid_yet',
  'never_paid',
  'no_customer',
  'paid_too_late',
  'on_its_way',
  'dispute_lost',
  'unknown',
] as const;
export type NoStampReason = (typeof noStampReasons)[number];

export const storyActors = [...cancellers, 'provider'] as const;
export type StoryActor = (typeof storyActors)[number];

const entryFields = {
  at: Instant,
  kind: z.enum(storyKinds),
  text: z.string().describe('A sentence in the language asked for.'),
  part: z.string().nullable().describe('Of a leg of a mixed order, its order_number. Null for the order itself.'),
  amount_pence: Pence.nullable().describe(
    'What was to be paid, was paid, refunded or disputed, or taken off; of `no_stamp`, the least that an order must cost without its tip.',
  ),
  by: z
    .enum(storyActors)
    .nullable()
    .describe('Of a cancellation or a refund, who made it; `system` is the service by itself. Null for any other.'),
  expected_at: Instant.nullable().describe('Of a delay or an earlier collection, the new time. Null when a later one replaced it.'),
  stamps: z.int().nullable().describe('How many stamps.'),
  count_after: z.int().nullable().describe('The stamps on the card after the order was awarded.'),
  goal: z.int().nullable().describe('Stamps that earn a reward.'),
  title: z.string().nullable().describe('The reward, or the promo code.'),
  reason: z.enum(noStampReasons).nullable().describe('Why there is no stamp, or why stamps were taken back.'),
  channel: z.enum(['push', 'email', 'sms']).nullable().describe('Of a message, the channel that it was to go over first.'),
  about: z.enum(orderMessages).nullable().describe('What a message says.'),
};

export const StoryEntry = z
  .object(entryFields)
  .meta({ id: 'StoryEntry', description: 'What happened to an order, as its customer sees it. A fact that a kind does not have is null.' });

export const StoreStoryEntry = z
  .object({
    ...entryFields,
    by_name: z.string().nullable().describe('The name of the member of staff. Null where it is not known, and for anyone else.'),
    note: z.string().nullable().describe('The reason that staff typed.'),
  })
  .meta({
    id: 'StoreStoryEntry',
    description: 'What happened to an order, as its store sees it. A fact that a kind does not have is null.',
  });

const stamps = z
  .object({
    counting: z.int().describe('The order’s stamps that count on the card.'),
    taken_back: z.int().describe('Those that were taken back.'),
    reason: z.enum(noStampReasons).nullable().describe('Why none counts. Null when one does.'),
    text: z.string().describe('The same as a sentence.'),
  })
  .nullable()
  .describe('What the order earned. Null while loyalty does not reply.');

const missing = z
  .array(z.enum(['loyalty', 'notifications']))
  .describe('Services that did not reply, so that what they know is left out. Read it again later.');

export const OrderStory = z.object({ order_id: z.string(), entries: z.array(StoryEntry), stamps, missing });
export const StoreOrderStory = OrderStory.extend({ entries: z.array(StoreStoryEntry) });
