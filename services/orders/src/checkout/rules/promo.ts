import { Problem } from '@corner/contracts';
import { inWords, percentOf, shareOf } from './pricing.ts';

/** A promo code. Instants are ISO 8601. */
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

export interface PromoBasis {
  readonly now: Date;
  readonly currency: string;
  readonly subtotalPence: number;
  /** What remains after the voucher. */
  readonly remainingPence: number;
  /** Whether the customer has paid an order at the store before. */
  readonly hasPaidBefore: boolean;
}

/**
 * Returns the pence a promo code takes off. Throws PROMO_INVALID, PROMO_EXPIRED and PROMO_NOT_APPLICABLE, whose message has the reason. Its limits of use are
 * checked when the order is written.
 */
export function promoPence(promo: Promo | null, { now, currency, subtotalPence, remainingPence, hasPaidBefore }: PromoBasis): number {
  if (!promo) throw new Problem('PROMO_INVALID');
  if (promo.ends_at && Date.parse(promo.ends_at) <= now.getTime()) throw new Problem('PROMO_EXPIRED');
  if (promo.starts_at && Date.parse(promo.starts_at) > now.getTime()) {
    throw new Problem('PROMO_EXPIRED', { message: 'promo_code: it is not valid yet.' });
  }
  if (subtotalPence < promo.min_subtotal_pence)
    throw notApplicable(`it needs a basket of ${inWords(promo.min_subtotal_pence, currency)} or more`);
  if (promo.first_order_only && hasPaidBefore) throw notApplicable('it is for a first order only');
  const off = promo.kind === 'percent' ? percentOf(remainingPence, promo.value, currency) : shareOf(promo.value, 1, 1, currency);
  const pence = Math.min(off, remainingPence);
  if (pence === 0) throw notApplicable('there is nothing left for it to take off');
  return pence;
}

const notApplicable = (why: string) => new Problem('PROMO_NOT_APPLICABLE', { message: `promo_code: ${why}.` });
