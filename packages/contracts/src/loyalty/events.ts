import { z } from 'zod';
import { defineEvent, type EventContract } from '../event.ts';
import { CustomerId, Instant, OrderId, StampId, StoreId, VoucherId } from '../vocabulary.ts';

export { customerDataRead } from '../data-access.ts';

const producers = ['loyalty'] as const;
const version = 1;

const byId = z
  .string()
  .nullable()
  .default(null)
  .describe('The id of the person at the store who made the change. Null when no one there did.');

/**
 * The evidence that a stamp was earned, the strongest first: a payment, a tap of the store's tag, a visit that staff completed, a
 * membership's period that the directory reports as paid, a person at the store, or a code that someone typed or scanned. `import`:
 * reported by another system.
 */
export const stampEvidence = ['order', 'tap', 'visit', 'membership', 'staff', 'code', 'import'] as const;
export type StampEvidence = (typeof stampEvidence)[number];

export const StampData = z.object({
  stamp_id: StampId.describe('The stamp.'),
  store_id: StoreId.describe('The store whose card it is on: of a programme of several stores, its home.'),
  customer_id: CustomerId.nullable().describe('Whose card it is on. Null while no customer has collected it.'),
  source: z.string().describe('How it was earned: by an order, a code, a tap, a grant of the staff, and so on.'),
  order_id: OrderId.nullable().describe('The order that earned it. Null for any other source.'),
  stamp_count: z
    .int()
    .describe(
      'Stamps on the card after the change. A count that reaches the goal is that of a full card: its stamps become a voucher in the same change (voucher.minted follows), and the card then shows the remainder of stamp_count by goal.',
    ),
  goal: z.int().describe('Stamps that earn a reward.'),
  by_id: byId,
  evidence: z
    .enum(stampEvidence)
    .nullable()
    .default(null)
    .describe(
      'What proves that it was earned: a paid order, a tap, a visit, a period of a membership, a person at the store, a code without a tap, or another system. Null unless the change makes it count.',
    ),
  at_store_id: StoreId.nullable().default(null).describe('Where it was collected, when that is another store of the programme.'),
});

const stamp = (change: string, summary: string): EventContract<typeof StampData> =>
  defineEvent({ type: `stamp.${change}`, producers, version, summary, data: StampData });

export const stampPending = stamp('pending', 'A stamp was collected and awaits approval.');
export const stampApproved = stamp('approved', 'A stamp was approved and counts toward the goal.');
export const stampRejected = stamp('rejected', 'A pending stamp was rejected.');
export const stampUndone = stamp(
  'undone',
  'Staff took back a stamp that they had granted, or the one of a visit whose completion they undid.',
);
export const stampReversed = stamp(
  'reversed',
  'The stamp of an order was taken back because the order was refunded, in full or so far that what is left would earn none.',
);

export const VoucherData = z.object({
  voucher_id: VoucherId.describe('The voucher.'),
  store_id: StoreId.describe('The store where it can be used: of a programme of several stores, its home.'),
  customer_id: CustomerId.describe('Whose it is.'),
  reward_title: z.string().nullable().describe('What it is for. Null when the programme names no reward.'),
  code_tail: z.string().describe('The last four characters of the code: enough to recognise the voucher, not to redeem it.'),
  order_id: OrderId.nullable().describe('The order that the change is about, for example the one it was used for. Null without one.'),
  by_id: byId,
  by_import: z
    .boolean()
    .default(false)
    .describe('Whether it was earned by stamps that were brought from another system. Its customer is not notified of the change.'),
});

const voucher = (change: string, summary: string): EventContract<typeof VoucherData> =>
  defineEvent({ type: `voucher.${change}`, producers, version, summary, data: VoucherData });

export const voucherMinted = voucher('minted', 'A customer reached the goal and earned a voucher.');
export const voucherRedeemed = voucher('redeemed', 'A voucher was redeemed.');
export const voucherRestored = voucher('restored', 'A redeemed voucher can be used again because its order was refunded in full.');
export const voucherVoided = voucher('voided', 'A voucher was voided because the stamps that earned it were taken back.');
export const voucherExpired = voucher('expired', 'A voucher expired unused.');

export const voucherExpiring = defineEvent({
  type: 'voucher.expiring',
  producers,
  version,
  summary: 'An unused voucher expires soon. Published once per voucher, a configured time before its last moment.',
  data: VoucherData.extend({ expires_at: Instant.describe('Its last moment.') }),
});

export const MembershipData = z.object({
  store_id: StoreId.describe('The store.'),
  customer_id: CustomerId.describe('The member.'),
  plan_name: z.string().nullable().describe('What the plan is called. Null when it has no name.'),
  current_period_end: Instant.nullable().describe('Until when it is paid. Null when it does not end.'),
  at: Instant.describe('When it changed.'),
});

const membership = (change: string, summary: string): EventContract<typeof MembershipData> =>
  defineEvent({ type: `membership.${change}`, producers, version, summary, data: MembershipData });

export const membershipBegun = membership('begun', 'A customer has a membership of a store.');
export const membershipRenewed = membership('renewed', 'A membership has a further period.');
export const membershipEnding = membership('ending', 'The period of a membership ends within seven days. Published once for each period.');
export const membershipEnded = membership('ended', 'A membership was ended, or its period was over for a day.');

export const tapPresented = defineEvent({
  type: 'tap.presented',
  producers,
  version,
  summary: 'A customer tapped the tag of a store and got a stamp for it. A sale at the counter just before it is theirs.',
  data: z.object({
    store_id: StoreId.describe('The store whose tag it is.'),
    customer_id: CustomerId.describe('Who tapped.'),
    stamp_id: StampId.describe('The stamp of the tap.'),
    at: Instant.describe('When the tag was tapped.'),
  }),
});

export const multiStampConfirmed = defineEvent({
  type: 'multi_stamp.confirmed',
  producers,
  version,
  summary: 'Staff confirmed several stamps at once.',
  data: z.object({
    request_id: z.guid().describe('The request of the customer that staff confirmed.'),
    store_id: StoreId.describe('The store whose card the stamps are on.'),
    customer_id: CustomerId.describe('Whose card the stamps are on.'),
    stamps: z.int().describe('Stamps that were added.'),
    stamp_count: z.int().describe('Stamps on the card after the change.'),
    goal: z.int().describe('Stamps that earn a reward.'),
    by_id: z.string().nullable().default(null).describe('The id of the person at the store who confirmed them.'),
  }),
});
