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
