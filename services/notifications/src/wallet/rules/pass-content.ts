import type { CompletePass } from './pass-state.ts';

interface Field {
  readonly label: string;
  readonly value: string;
}

/** The texts of a pass, the same in every wallet. */
export interface PassContent {
  readonly title: string;
  /** The count of a stamp card, or whether a voucher can be used. */
  readonly status: Field;
  readonly reward: Field;
  /** How many vouchers of the card can be used; null when there is none, and on a voucher. */
  readonly rewardsReady: Field | null;
  /** A voucher's code and last day; null on a stamp card, and for a voucher that can no longer be used. */
  readonly voucher: { readonly code: Field; readonly lastDay: Field; readonly expiresAt: string } | null;
  /** What staff scan: the customer's id on a stamp card; on a voucher, as JSON, the ids that redeemVoucher takes besides the store's. */
  readonly barcode: string;
}

/** Writes the texts of a pass. */
export function passContent(pass: CompletePass): PassContent {
  const reward = { label: 'Reward', value: pass.rewardTitle ?? 'A reward' };
  if (pass.kind === 'voucher')
    return {
      title: `${pass.storeName} voucher`,
      status: { label: 'Voucher', value: voucherStates[pass.state] },
      reward,
      rewardsReady: null,
      voucher: pass.details && {
        code: { label: 'Code', value: pass.details.code },
        lastDay: { label: 'Valid until', value: dayOf(pass.details.last_day) },
        expiresAt: pass.details.expires_at,
      },
      barcode: JSON.stringify({ voucher_id: pass.voucherId, customer_id: pass.customerId }),
    };
  return {
    title: `${pass.storeName} stamp card`,
    status: { label: 'Stamps', value: pass.goal === null ? String(pass.stamps) : `${pass.stamps} of ${pass.goal}` },
    reward,
    rewardsReady: pass.activeVouchers > 0 ? { label: 'Rewards ready', value: String(pass.activeVouchers) } : null,
    voucher: null,
    barcode: pass.customerId,
  };
}

const voucherStates = { active: 'Ready to use', redeemed: 'Used', voided: 'Void', expired: 'Expired' } as const;

/** Writes a day such as `29 August 2026`. */
const dayOf = (day: string): string => new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
