import { rulesOfCurrency, splitByWeight } from '@corner/contracts';

export interface Discounts {
  readonly voucherPence: number;
  readonly promoPence: number;
}

/**
 * Splits an order's discounts over its parts by their subtotals. The shares sum to the whole, none exceeds its part, and each can be
 * charged or refunded on its own.
 */
export function splitDiscounts(subtotals: readonly number[], { voucherPence, promoPence }: Discounts, currency: string): Discounts[] {
  const { step } = rulesOfCurrency(currency);
  const split = (pence: number, weights: readonly number[]) =>
    splitByWeight(
      pence / step,
      weights.map((weight) => weight / step),
    ).map((share) => share * step);
  const vouchers = split(voucherPence, subtotals);
  const promos = split(
    promoPence,
    subtotals.map((subtotal, n) => subtotal - (vouchers[n] ?? 0)),
  );
  return subtotals.map((_, n) => ({ voucherPence: vouchers[n] ?? 0, promoPence: promos[n] ?? 0 }));
}
