import { Problem } from '@corner/contracts';
import { percentOf } from './pricing.ts';

/** A promo code as it is now. Instants as ISO 8601. */
export interface Promo {
  readonly id: string;
  readonly code: string;
  readonly label: string | null;
  readonly kind: 'percent' | 'amount';
  /** Whole percent, or pence. */
  readonly value: number;
  readonly min_subtotal_pence: number;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly first_order_only: boolean;
}

/** Codes are told apart without regard to case. */
export const foldCode = (code: string): string => code.trim().toUpperCase();

export interface Basis {
  readonly at: Date;
  readonly subtotalPence: number;
  /** What is left to cut after the voucher. */
  readonly remainingPence: number;
  /** Whether the customer has paid an order at the store before. */
  readonly hasPaidBefore: boolean;
}

/** Pence a code takes off. Throws PROMO_INVALID, PROMO_EXPIRED and PROMO_NOT_APPLICABLE, which says why. Limits are kept where it is held. */
export function promoPence(promo: Promo | null, { at, subtotalPence, remainingPence, hasPaidBefore }: Basis): number {
  if (!promo) throw new Problem('PROMO_INVALID');
  if (promo.ends_at && Date.parse(promo.ends_at) <= at.getTime()) throw new Problem('PROMO_EXPIRED');
  if (promo.starts_at && Date.parse(promo.starts_at) > at.getTime()) {
    throw new Problem('PROMO_EXPIRED', { message: 'promo_code: it is not valid yet.' });
  }
  if (subtotalPence < promo.min_subtotal_pence) throw notApplicable(`it needs a basket of ${promo.min_subtotal_pence} pence or more`);
  if (promo.first_order_only && hasPaidBefore) throw notApplicable('it is for a first order only');
  const pence = promo.kind === 'percent' ? percentOf(remainingPence, promo.value) : Math.min(promo.value, remainingPence);
  if (pence === 0) throw notApplicable('there is nothing left for it to take off');
  return pence;
}

const notApplicable = (why: string) => new Problem('PROMO_NOT_APPLICABLE', { message: `promo_code: ${why}.` });
