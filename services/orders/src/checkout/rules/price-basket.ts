import { type OrderPrice, type Price, type PricedLine, priceOrder, priceParts, type Reward, subtotalOf, voucherPence } from './pricing.ts';
import { type Promo, promoPence } from './promo.ts';

interface PricedPart {
  readonly lines: readonly PricedLine[];
}

export interface Discounts {
  readonly reward: Reward | null;
  /** Null when the request has no promo code; `found` is null when the store has no such code. */
  readonly promo: { readonly found: Promo | null; readonly hasPaidBefore: boolean } | null;
}

export interface PriceTerms {
  readonly currency: string;
  readonly tipPence: number;
  readonly feeBps: number;
  readonly now: Date;
}

/**
 * Prices an order and each of its legs. The voucher is deducted first, then the promo code. The tip belongs to the main order. Throws
 * VOUCHER_NOT_APPLICABLE, the PROMO_ problems, and those of {@link priceOrder}.
 */
export function priceBasket(
  parts: readonly [PricedPart, ...PricedPart[]],
  { reward, promo }: Discounts,
  { currency, tipPence, feeBps, now }: PriceTerms,
): { readonly main: OrderPrice; readonly legs: readonly Price[] } {
  const subtotals = parts.map(({ lines }) => subtotalOf(lines));
  const subtotalPence = subtotals.reduce((a, b) => a + b, 0);
  const ofVoucher = reward
    ? voucherPence(
        reward,
        parts.flatMap(({ lines }) => lines),
        currency,
      )
    : 0;
  const ofPromo = promo
    ? promoPence(promo.found, {
        now,
        currency,
        subtotalPence,
        remainingPence: subtotalPence - ofVoucher,
        hasPaidBefore: promo.hasPaidBefore,
      })
    : 0;
  const main = priceOrder(subtotalPence, { currency, tipPence, feeBps, voucherPence: ofVoucher, promoPence: ofPromo });
  return { main, legs: priceParts(subtotals, main, currency).slice(1) };
}
