import { rulesOfCurrency } from './currencies.ts';

/**
 * Splits whole pence over parts in proportion to their weights, by largest remainder. The shares sum to `pence` exactly. No
 * share exceeds its weight as long as `pence` does not exceed the sum of the weights. Of equal remainders the earlier part wins. Negative
 * pence are split as positive ones.
 */
export function splitByWeight(pence: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum === 0) return weights.map(() => 0);
  if (pence < 0) return splitByWeight(-pence, weights).map((share) => 0 - share);
  const exact = weights.map((weight) => BigInt(pence) * BigInt(weight));
  const shares = exact.map((product) => Number(product / BigInt(sum)));
  const left = pence - shares.reduce((a, b) => a + b, 0);
  const byRemainder = exact
    .map((product, n) => ({ n, remainder: product % BigInt(sum) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.n - b.n : a.remainder > b.remainder ? -1 : 1));
  for (const { n } of byRemainder.slice(0, left)) shares[n] = (shares[n] ?? 0) + 1;
  return shares;
}

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
