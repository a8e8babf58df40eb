/** A stamp of an order that is refunded in full, and what became of it. */
export interface OrderStamp {
  readonly id: string;
  readonly voucher: { readonly id: string; readonly status: 'active' | 'reserved' | 'redeemed' | 'expired' | 'voided' } | null;
  readonly paidDebt: boolean;
}

/** What taking stamps back comes to. */
export interface Reversal {
  readonly reverse: readonly string[];
  /** Vouchers that fall with them; the other stamps behind these are free again. */
  readonly voidVouchers: readonly string[];
  /** Those of them that were used up for good: as many of the next ones pay for them. */
  readonly owed: readonly string[];
}

/**
 * Unused stamps go; a voucher not used yet goes with its stamp; of what was used, or is about to be, a debt remains. A voucher
 * that expired unused brought nothing, so nothing is owed for it.
 */
export function decideReversal(stamps: readonly OrderStamp[]): Reversal {
  const voids = stamps.filter(({ voucher }) => voucher?.status === 'active');
  const used = stamps.filter(({ voucher, paidDebt }) => paidDebt || voucher?.status === 'reserved' || voucher?.status === 'redeemed');
  return {
    reverse: stamps.map(({ id }) => id),
    voidVouchers: [...new Set(voids.map(({ voucher }) => voucher?.id ?? ''))],
    owed: used.map(({ id }) => id),
  };
}
