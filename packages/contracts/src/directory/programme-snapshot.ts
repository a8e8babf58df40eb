import { z } from 'zod';
import { MenuItemId, Pence, StoreId } from '../vocabulary.ts';
import { programmeSettings } from './settings.ts';
import { bounded, ofStore, overWhole, snapshot, withinWhole } from './snapshot-parts.ts';

const Reward = z
  .object({
    kind: z.enum(['amount', 'percent', 'item']).describe('What `value` is.'),
    value: z.int().min(1).describe('Pence, whole percent, or a number of items.'),
    item_id: MenuItemId.nullable().default(null).describe('The item that is free. Null for any other kind.'),
  })
  .refine(withinWhole, overWhole)
  .refine(({ kind, item_id }) => kind !== 'item' || item_id, { path: ['item_id'], error: 'is required when kind is item' });

const MultiStamp = z.object({
  enabled: z.boolean().default(true).describe('Whether customers can ask for several stamps at once.'),
  entitled: z.boolean().default(true).describe('Whether the store’s plan includes it.'),
  max_request: z.int().min(1).max(100).default(5).describe('Stamps in one request, at most.'),
  monthly_ceiling: z.int().min(1).default(30).describe('Stamps that one customer can get so in a month.'),
  staff_card_without_tap: z
    .enum(['refuse', 'accept'])
    .default('refuse')
    .describe(
      'Whether staff confirm with their auth card alone. The card’s token id is public: a customer who has seen it once can send it from anywhere, so by default a tap of one of the store’s tags must come with it. A staff session needs none.',
    ),
});

const Tag = z.object({
  uid: z
    .string()
    .regex(/^[0-9A-Fa-f]{14}$/)
    .describe('The number that is burnt into the tag, in hexadecimal.'),
  key_version: z.string().default('1').describe('Which of the platform’s keys it was written with.'),
  revoked: z.boolean().default(false).describe('Whether its taps are refused.'),
});

export const ProgrammeSnapshot = z.object({
  ...snapshot,
  store_id: ofStore.describe('The home of the programme, whose id it has.'),
  store_ids: z
    .array(StoreId)
    .max(100)
    .default([])
    .describe(
      'Further stores whose customers collect on the same card and use its vouchers. Such a store’s own programme rests meanwhile, but for its tags. Limits are counted at each store.',
    ),
  enabled: z.boolean().default(true).describe('Whether stamps are collected.'),
  goal: bounded(programmeSettings.goal).default(10).describe('Stamps that earn a reward.'),
  reward_title: z.string().default('A reward').describe('What the reward is, as the card says it.'),
  reward_unlock_message: z.string().nullable().default(null).describe('Shown when it was earned. Null for the app’s own words.'),
  reward: Reward.prefault({ kind: 'amount', value: 300 }).describe('What the reward takes off an order.'),
  voucher_type: z.string().default('reward').describe('The type of the vouchers, for the app.'),
  voucher_days: bounded(programmeSettings.voucher_days).default(90).describe('Days for which a voucher can be used.'),
  voucher_expiring_days: bounded(programmeSettings.voucher_expiring_days)
    .default(7)
    .describe(
      'How many days before its end a voucher’s customer is notified that it expires; 0 for never. It applies to vouchers earned from then on.',
    ),
  driver: z
    .enum(['orders', 'visits', 'membership'])
    .default('orders')
    .describe(
      'What the programme rewards: paid orders, completed visits from the queue, each with a stamp, or a membership, each period of which earns one. Codes, taps and what staff grant count in each.',
    ),
  stamps_per_order: bounded(programmeSettings.stamps_per_order).default(1).describe('Stamps that a paid order earns.'),
  min_spend_pence: Pence.default(1).describe('What an order must cost without its tip to earn stamps.'),
  daily_stamp_limit: z.int().min(1).default(20).describe('Stamps that one customer can collect in a day.'),
  plan_key: z.enum(['free', 'starter', 'growth', 'pro']).default('growth').describe('The store’s plan, which decides its monthly quota.'),
  monthly_stamp_quota: z
    .int()
    .min(0)
    .nullable()
    .optional()
    .describe('Stamps of the store’s customers in a month, together; null means unlimited. When absent, the plan’s quota applies.'),
  codes_without_proof: z
    .enum(['wait', 'count'])
    .default('wait')
    .describe(
      'What becomes of a stamp whose code was redeemed without the proof of a tap, which anyone can do from anywhere: it waits for staff to approve it, or it counts at once. A proved tap and what staff do always count at once.',
    ),
  multi_stamp: MultiStamp.prefault({}).describe('Several stamps at once.'),
  nfc_enforced: z.boolean().default(false).describe('Whether codes are made, and several stamps confirmed, with a proved tap only.'),
  tags: z.array(Tag).default([]).describe('The NFC tags of the store.'),
});
