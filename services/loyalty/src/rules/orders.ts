import type { awardOrder, RpcOutput } from '@corner/contracts';
import type { VoucherStatus } from './vouchers.ts';

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

/** A stamp of an order whose money went back, and what it was used for. */
export interface OrderStamp {
  readonly id: string;
  /** The voucher it was used for. */
  readonly voucher: { readonly id: string; readonly status: VoucherStatus } | null;
  readonly paidDebt: boolean;
}

export interface Reversal {
  /** Ids of the stamps to take back. */
  readonly reverse: readonly string[];
  /** Ids of the vouchers to void. The other stamps behind them become unused again. */
  readonly voidVouchers: readonly string[];
  /** Ids of the stamps taken back although they were used: each adds one stamp to the card's debt. */
  readonly indebting: readonly string[];
}

/** Decides what a change does to an order's stamps. `earlier`: whether they were taken back before; `reversed`: whether they are to be now. */
export function reversalEffect({
  earlier,
  reversed,
}: {
  readonly earlier: boolean;
  readonly reversed: boolean;
}): 'none' | 'reverse' | 'reinstate' {
  if (earlier === reversed) return 'none';
  return reversed ? 'reverse' : 'reinstate';
}

/**
 * Decides what a full refund or a lost dispute does to the order's stamps. All are taken back. An active voucher is voided with its stamp. A stamp whose
 * voucher is reserved or redeemed, or that paid a debt, leaves a debt. A voucher that expired unused gave nothing, so it leaves none.
 */
export function decideReversal(stamps: readonly OrderStamp[]): Reversal {
  const used = stamps.filter(({ voucher, paidDebt }) => paidDebt || voucher?.status === 'reserved' || voucher?.status === 'redeemed');
  return {
    reverse: stamps.map(({ id }) => id),
    voidVouchers: [...new Set(stamps.flatMap(({ voucher }) => (voucher?.status === 'active' ? [voucher.id] : [])))],
    indebting: used.map(({ id }) => id),
  };
}
