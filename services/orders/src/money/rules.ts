import { splitByWeight } from '../order/rules/shares.ts';

/** The kinds of rows of the ledger that the provider's balance has too. */
export type ComparedKind = 'charge' | 'refund' | 'refund_failed' | 'dispute' | 'dispute_returned' | 'transfer_reversal' | 'transfer';

/** A movement of the platform's balance that may concern an order, under the names that the ledger gives it. */
export interface Movement {
  readonly kind: ComparedKind;
  /** Together with the kind, the key of the ledger's row. */
  readonly provider_ref: string;
  /** Signed as in the ledger, in minor units. */
  readonly amount_pence: number;
  /** Upper case. */
  readonly currency: string;
  /** The intent or the order it belongs to, where the provider names it. */
  readonly intentId: string | null;
  readonly orderId: string | null;
}

/** A row of the ledger, by the same key. */
export interface Entered {
  readonly kind: string;
  readonly provider_ref: string;
  readonly amount_pence: number;
}

/** The key by which movements and the ledger's rows are compared. */
export const keyOf = ({ kind, provider_ref }: { readonly kind: string; readonly provider_ref: string }): string =>
  `${kind}:${provider_ref}`;

/** Returns the movements that the ledger does not have with the same amount. */
export function unmatched<M extends Entered>(movements: readonly M[], entered: readonly Entered[]): readonly M[] {
  const amounts = new Map(entered.map((row) => [keyOf(row), row.amount_pence]));
  return movements.filter((movement) => amounts.get(keyOf(movement)) !== movement.amount_pence);
}

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
