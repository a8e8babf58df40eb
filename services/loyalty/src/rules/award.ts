import type { awardOrder, RpcOutput } from '@corner/contracts';

export type Award = RpcOutput<typeof awardOrder>;

/** How many stamps a paid order earns. An order below the programme's minimum spend, without its tip, earns none. */
export const stampsEarned = (
  programme: { readonly enabled: boolean; readonly min_spend_pence: number; readonly stamps_per_order: number },
  { net_of_tip_pence }: { readonly net_of_tip_pence: number },
): number => (programme.enabled && net_of_tip_pence >= programme.min_spend_pence ? programme.stamps_per_order : 0);

/** The award of an order that earned nothing. */
export const noAward = (goal: number, stampCount: number): Award => ({
  awarded: false,
  stamps_added: 0,
  stamp_count: stampCount,
  goal,
  voucher_minted: false,
  reward_title: null,
  reward_unlock_message: null,
});

/** The award of an order that earned stamps, and the stamps left on the card after it. */
export const awardOf = (
  programme: { readonly goal: number; readonly reward_title: string; readonly reward_unlock_message: string | null },
  { earned, stampCount, minted }: { readonly earned: number; readonly stampCount: number; readonly minted: boolean },
): Award => ({
  awarded: true,
  stamps_added: earned,
  stamp_count: stampCount,
  goal: programme.goal,
  voucher_minted: minted,
  reward_title: programme.reward_title,
  reward_unlock_message: minted ? programme.reward_unlock_message : null,
});
