import type { DataOf, multiStampConfirmed, stampApproved, voucherMinted } from '@corner/contracts';
import type { News } from './content.ts';
import type { Template } from './template-data.ts';

type Stamp = DataOf<typeof stampApproved>;
type Voucher = DataOf<typeof voucherMinted>;

/** Several stamps of one purchase come within moments: the last count is told, once. */
const gather = { way: 'push', waitSeconds: 2, expiresAt: null } as const;
const atOnce = { way: 'push', waitSeconds: 0, expiresAt: null } as const;

const card = ({ store_id, customer_id }: { readonly store_id: string; readonly customer_id: string | null }) =>
  `card:${store_id}:${customer_id}`;
const review = ({ stamp_id }: { readonly stamp_id: string }) => `stamp:${stamp_id}`;

/** A stamp that changes the count of its card; what was said of its review is past. */
export const newsOfCount =
  (template: Extract<Template, 'stamp.approved' | 'stamp.undone' | 'stamp.reversed'>) =>
  (stamp: Stamp): News => ({
    outdates: [card(stamp), review(stamp)],
    message: { template, facts: { stamp_count: stamp.stamp_count, goal: stamp.goal }, topic: card(stamp), ...gather },
  });

/** A stamp that waits for approval or was declined: the count stays. */
export const newsOfReview =
  (template: Extract<Template, 'stamp.pending' | 'stamp.rejected'>) =>
  (stamp: Stamp): News => ({
    outdates: [review(stamp)],
    message: { template, facts: { stamp_count: stamp.stamp_count, goal: stamp.goal }, topic: review(stamp), ...gather },
  });

/** Several stamps at once are one message: those of its stamps give way to it. */
export const newsOfSeveral = (several: DataOf<typeof multiStampConfirmed>): News => ({
  outdates: [card(several)],
  message: {
    template: 'multi_stamp.confirmed',
    facts: { stamps: several.stamps, stamp_count: several.stamp_count, goal: several.goal },
    topic: card(several),
    ...gather,
  },
});

export const newsOfVoucher =
  (template: Extract<Template, `voucher.${string}`>) =>
  ({ voucher_id, reward_title, code_tail }: Voucher): News => {
    const topic = `voucher:${voucher_id}`;
    return { outdates: [topic], message: { template, facts: { reward_title, code_tail }, topic, ...atOnce } };
  };
