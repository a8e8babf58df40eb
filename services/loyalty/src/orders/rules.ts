import type { awardOrder, NoStamp, RpcOutput } from '@corner/contracts';
import { type CardStamps, countsAfterEach, type DividedStamps, divideStamps, type VoucherStatus } from '../card/rules.ts';

export type Award = RpcOutput<typeof awardOrder>;

type EarningRules = Pick<AwardingProgramme, 'enabled' | 'driver' | 'min_spend_pence' | 'stamps_per_order'>;

/** Returns why a paid order earns no stamp; null for one that earns some. The tip does not count toward the least spend. */
export function whyNoStamp(programme: EarningRules | null, { net_of_tip_pence }: { readonly net_of_tip_pence: number }): NoStamp | null {
  const because = (reason: NoStamp['reason']): NoStamp => ({ reason, min_spend_pence: null });
  if (!programme) return because('no_programme');
  if (!programme.enabled) return because('programme_off');
  if (programme.driver !== 'orders') return because(`rewards_${programme.driver}`);
  if (net_of_tip_pence < programme.min_spend_pence) return { reason: 'below_min_spend', min_spend_pence: programme.min_spend_pence };
  return programme.stamps_per_order === 0 ? because('no_stamps_for_orders') : null;
}

export const noAward = (goal: number, stampCount: number, noStamp?: NoStamp): Award => ({
  awarded: false,
  stamps_added: 0,
  stamp_count: stampCount,
  goal,
  voucher_minted: false,
  reward_title: null,
  reward_unlock_message: null,
  ...(noStamp ? { no_stamp: noStamp } : {}),
});

const awardOf = (
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

export interface AwardingProgramme {
  readonly enabled: boolean;
  readonly goal: number;
  readonly reward_title: string;
  readonly reward_unlock_message: string | null;
  readonly driver: 'orders' | 'visits' | 'membership';
  readonly stamps_per_order: number;
  readonly min_spend_pence: number;
}

/**
 * Decides the award of a paid order on a card as it is. An order whose money went back already, or all but little, gets stamps that do not
 * count. Without a programme it earns nothing. With `hasTap` its first stamp is on the card already.
 */
export function decideAward(
  order: { readonly net_of_tip_pence: number; readonly takenBack: boolean; readonly hasTap: boolean },
  card: CardStamps,
  programme: AwardingProgramme | null,
  newId: () => string,
): DecidedAward {
  const nothing = { stampIds: [], counts: [], payingDebt: [], completing: [], card };
  const refused = whyNoStamp(programme, order);
  if (!programme) return { ...nothing, award: noAward(0, 0, refused ?? undefined) };
  const earned = refused ? 0 : programme.stamps_per_order;
  const added = Math.max(0, earned - (order.hasTap ? 1 : 0));
  const stampIds = Array.from({ length: added }, newId);
  if (refused || order.takenBack) {
    const noStamp = refused ?? { reason: 'refunded', min_spend_pence: null };
    return { ...nothing, stampIds, award: noAward(programme.goal, Math.max(0, card.unused.length - card.debt), noStamp) };
  }
  const unused = [...card.unused, ...stampIds];
  const divided = divideStamps({ unused, debt: card.debt }, programme.goal);
  const minted = divided.completing.length > 0;
  return {
    ...divided,
    stampIds,
    counts: countsAfterEach(unused.length - card.debt, added),
    award: awardOf(programme, { earned, stampCount: divided.card.unused.length, minted }),
  };
}

/** An award, and the use of the card's stamps. `counts`: the card's count after each stamp that counts. */
export interface DecidedAward extends DividedStamps {
  readonly award: Award;
  readonly stampIds: readonly string[];
  readonly counts: readonly number[];
}

export interface OrderStamp {
  readonly id: string;
  readonly voucher: { readonly id: string; readonly status: VoucherStatus } | null;
  readonly paidDebt: boolean;
}

/**
 * Ids: `reverse` of the stamps to take back, `voidVouchers` of the vouchers to void, whose other stamps become unused again, `indebting` of
 * the stamps taken back although they were used, each of which adds one to the card's debt.
 */
interface Reversal {
  readonly reverse: readonly string[];
  readonly voidVouchers: readonly string[];
  readonly indebting: readonly string[];
}

export function reversalEffect({ before, now }: { readonly before: boolean; readonly now: boolean }): 'none' | 'reverse' | 'reinstate' {
  if (before === now) return 'none';
  return now ? 'reverse' : 'reinstate';
}

/**
 * Decides how a full refund or a lost dispute takes back the order's stamps. All are taken back. An active voucher is voided with its
 * stamp. A stamp whose voucher is reserved or redeemed, or that paid a debt, leaves a debt. A voucher that expired unused leaves no debt.
 */
export function decideReversal(stamps: readonly OrderStamp[]): Reversal {
  const used = stamps.filter(({ voucher, paidDebt }) => paidDebt || voucher?.status === 'reserved' || voucher?.status === 'redeemed');
  return {
    reverse: stamps.map(({ id }) => id),
    voidVouchers: [...new Set(stamps.flatMap(({ voucher }) => (voucher?.status === 'active' ? [voucher.id] : [])))],
    indebting: used.map(({ id }) => id),
  };
}
