import { normaliseTyped, type ProblemCode } from '@corner/contracts';
import type { VoucherStatus } from '../card/rules.ts';

/** Reads a typed voucher code: in any case, with spaces or hyphens. Returns null when the text is not a code. */
export function readVoucherCode(typed: string): string | null {
  const code = normaliseTyped(typed).replace(/[\s-]/g, '');
  return /^[2-9A-HJ-NP-Z]{10}$/.test(code) ? code : null;
}

export interface VoucherState {
  readonly status: VoucherStatus;
  readonly expiresAtMs: number;
  /** Whether the payment behind one of its stamps is disputed. */
  readonly disputed: boolean;
}

export const isUsable = (voucher: VoucherState | null, nowMs: number): boolean =>
  voucher !== null && voucher.status === 'active' && voucher.expiresAtMs > nowMs && !voucher.disputed;

/** Returns why a voucher cannot be used. A null voucher does not exist, or belongs to another customer or store. */
export function voucherRefusal(voucher: VoucherState | null, nowMs: number): { readonly code: ProblemCode; readonly message?: string } {
  if (!voucher) return { code: 'VOUCHER_NOT_FOUND' };
  switch (voucher.status) {
    case 'active':
      if (voucher.expiresAtMs <= nowMs) return { code: 'VOUCHER_EXPIRED' };
      // Otherwise a later call of the order was processed first: this is a late copy, and its caller no longer waits.
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
