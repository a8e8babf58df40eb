import type { PassState } from './pass-state.ts';

/** The texts of a pass, the same in every wallet. */
export interface PassContent {
  readonly title: string;
  /** The count of a stamp card, or whether a voucher can be used. */
  readonly status: { readonly label: string; readonly value: string };
  readonly reward: { readonly label: string; readonly value: string };
  /** How many vouchers of the card can be used; null when there is none, and on a voucher. */
  readonly rewardsReady: { readonly label: string; readonly value: string } | null;
  /** What staff scan: the customer's id on a stamp card, the voucher's id on a voucher. */
  readonly barcode: string;
}

/** Writes the texts of a pass. */
export function passContent(pass: PassState): PassContent {
  const reward = { label: 'Reward', value: pass.rewardTitle ?? 'A reward' };
  if (pass.kind === 'voucher')
    return {
      title: `${pass.storeName} voucher`,
      status: { label: 'Voucher', value: voucherStates[pass.state] },
      reward,
      rewardsReady: null,
      barcode: pass.voucherId ?? pass.customerId,
    };
  return {
    title: `${pass.storeName} stamp card`,
    status: { label: 'Stamps', value: pass.goal === null ? String(pass.stamps) : `${pass.stamps} of ${pass.goal}` },
    reward,
    rewardsReady: pass.activeVouchers > 0 ? { label: 'Rewards ready', value: String(pass.activeVouchers) } : null,
    barcode: pass.customerId,
  };
}

const voucherStates = { active: 'Ready to use', redeemed: 'Used', voided: 'Void', expired: 'Expired' } as const;
