import type { DataOf, membershipBegun, multiStampConfirmed, stampApproved, voucherExpiring, voucherMinted } from '@corner/contracts';
import { type EventContent, noMessage } from './content.ts';
import type { Template } from './template-data.ts';

/**
 * A completed card has given its stamps for a reward, so the message has the number that is left. Imported stamps are known to the
 * customer.
 */
export function contentForApprovedStamp(stamp: Stamp): EventContent {
  if (stamp.source === 'import') return noMessage();
  const { stamp_count, goal } = stamp;
  const data = { stamp_count: stamp_count % goal, goal, completed: stamp_count >= goal };
  return {
    supersedes: [cardTopic(stamp), reviewTopic(stamp)],
    message: { template: 'stamp.approved', data, topic: cardTopic(stamp), ...gathered },
  };
}

/** The remaining stamps of a voided voucher may complete a card again. Also supersedes the message about the stamp's review. */
export const contentForCount =
  (template: Extract<Template, 'stamp.undone' | 'stamp.reversed'>) =>
  (stamp: Stamp): EventContent => ({
    supersedes: [cardTopic(stamp), reviewTopic(stamp)],
    message: { template, data: { stamp_count: stamp.stamp_count % stamp.goal, goal: stamp.goal }, topic: cardTopic(stamp), ...gathered },
  });

export const contentForReview =
  (template: Extract<Template, 'stamp.pending' | 'stamp.rejected'>) =>
  (stamp: Stamp): EventContent => ({
    supersedes: [reviewTopic(stamp)],
    message: { template, data: { stamp_count: stamp.stamp_count, goal: stamp.goal }, topic: reviewTopic(stamp), ...gathered },
  });

export const contentForMultiStamp = (confirmed: DataOf<typeof multiStampConfirmed>): EventContent => ({
  supersedes: [cardTopic(confirmed)],
  message: {
    template: 'multi_stamp.confirmed',
    data: { stamps: confirmed.stamps, stamp_count: confirmed.stamp_count, goal: confirmed.goal },
    topic: cardTopic(confirmed),
    ...gathered,
  },
});

export const contentForVoucher =
  (template: Exclude<Extract<Template, `voucher.${string}`>, 'voucher.expiring'>) =>
  ({ voucher_id, reward_title, code_tail, by_import }: Voucher): EventContent => {
    const topic = `voucher:${voucher_id}`;
    if (by_import) return noMessage(topic);
    return { supersedes: [topic], message: { template, data: { reward_title, code_tail }, topic, ...immediate } };
  };

export function contentForVoucherExpiring(voucher: DataOf<typeof voucherExpiring>): EventContent {
  const { voucher_id, reward_title, code_tail, expires_at } = voucher;
  const [topic, data] = [`voucher:${voucher_id}`, { reward_title, code_tail, expires_at }];
  return { supersedes: [topic], message: { template: 'voucher.expiring', data, topic, ...immediate, expiresAt: expires_at } };
}

type Stamp = DataOf<typeof stampApproved>;
type Voucher = DataOf<typeof voucherMinted>;

/** One purchase can give several stamps within moments. The wait lets one message with the last count replace them. */
const gathered = { channel: 'push', waitSeconds: 2, expiresAt: null } as const;
const immediate = { channel: 'push', waitSeconds: 0, expiresAt: null } as const;

const cardTopic = ({ store_id, customer_id }: { readonly store_id: string; readonly customer_id: string | null }) =>
  `card:${store_id}:${customer_id}`;
const reviewTopic = ({ stamp_id }: { readonly stamp_id: string }) => `stamp:${stamp_id}`;

type MembershipChange = 'membership.begun' | 'membership.renewed' | 'membership.ending' | 'membership.ended';

export const contentForMembership =
  (template: MembershipChange) =>
  ({ store_id, customer_id, plan_name, current_period_end }: DataOf<typeof membershipBegun>): EventContent => {
    const topic = `membership:${store_id}:${customer_id}`;
    const message = { topic, channel: 'push', waitSeconds: 0, expiresAt: null } as const;
    return { supersedes: [topic], message: { template, data: { plan_name, ends_at: current_period_end }, ...message } };
  };
