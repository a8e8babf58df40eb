import type { ProblemCode } from '@corner/contracts';

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Returns a voucher's code: ten characters that are not mistaken for each other. `pick` returns a random whole number below its argument. */
export const voucherCode = (pick: (below: number) => number): string =>
  Array.from({ length: 10 }, () => alphabet[pick(alphabet.length)]).join('');

export type VoucherStatus = 'active' | 'reserved' | 'redeemed' | 'expired' | 'voided';

export interface VoucherState {
  readonly status: VoucherStatus;
  readonly expiresAtMs: number;
  /** Whether the payment behind one of its stamps is disputed. */
  readonly disputed: boolean;
}

/** Says why a voucher that could not be used cannot be. Null is a voucher that does not exist, or belongs to another customer or store. */
export function voucherRefusal(voucher: VoucherState | null, nowMs: number): { readonly code: ProblemCode; readonly message?: string } {
  if (!voucher) return { code: 'VOUCHER_NOT_FOUND' };
  switch (voucher.status) {
    case 'active':
      if (voucher.expiresAtMs <= nowMs) return { code: 'VOUCHER_EXPIRED' };
      // Otherwise the order has asked for something later: this is a late copy of its call, to which no caller listens.
      return { code: 'VOUCHER_RESERVED', ...(voucher.disputed ? { message: 'The payment behind this voucher is disputed.' } : {}) };
    case 'reserved':
      return { code: 'VOUCHER_RESERVED' };
    case 'redeemed':
      return { code: 'VOUCHER_ALREADY_REDEEMED' };
    case 'expired':
      return { code: 'VOUCHER_EXPIRED' };
    case 'voided':
      return { code: 'VOUCHER_VOIDED' };
    default:
      return voucher.status satisfies never;
  }
}
