import { splitByWeight } from './split.ts';

/** A line at the rate it was sold at, in hundredths of a percent; null when the menu named none. */
export interface RatedLine {
  readonly vat_rate_bps: number | null;
  readonly quantity: number;
  readonly unit_price_pence: number;
}

/** The sums of one rate: `net_pence` plus `vat_pence` is `gross_pence`. */
export interface VatSum {
  readonly rate_bps: number | null;
  readonly net_pence: number;
  readonly vat_pence: number;
  readonly gross_pence: number;
}

/**
 * Sums lines by their VAT rate, highest rate first and lines without a rate last. Prices contain the VAT. The discount is split over the
 * rates in proportion to their sums, so the gross amounts add up to the lines less the discount. The VAT is rounded once for each rate, half
 * a penny up. A rate whose goods were free is left out.
 */
export function sumVat(lines: readonly RatedLine[], discountPence: number): VatSum[] {
  const byRate = new Map<number | null, number>();
  for (const { vat_rate_bps: rate, quantity, unit_price_pence } of lines)
    byRate.set(rate, (byRate.get(rate) ?? 0) + quantity * unit_price_pence);
  const sums = [...byRate].sort(([a], [b]) => (b ?? -1) - (a ?? -1));
  const discounts = splitByWeight(
    discountPence,
    sums.map(([, pence]) => pence),
  );
  return sums.map(([rate, pence], n) => vatWithin(pence - (discounts[n] ?? 0), rate)).filter(({ gross_pence }) => gross_pence > 0);
}

function vatWithin(gross: number, rate: number | null): VatSum {
  const parts = 10_000 + (rate ?? 0);
  const vat = Math.floor((2 * gross * (rate ?? 0) + parts) / (2 * parts));
  return { rate_bps: rate, net_pence: gross - vat, vat_pence: vat, gross_pence: gross };
}
