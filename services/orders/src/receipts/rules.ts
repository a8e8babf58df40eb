import { splitByWeight } from '@corner/contracts';

/**
 * A line at the rate it was sold at, in hundredths of a percent; null when the menu named none. `vat_parts` splits its unit price by rate
 * where choices have other rates; null or absent when all of it has `vat_rate_bps`.
 */
export interface RatedLine {
  readonly vat_rate_bps: number | null;
  readonly vat_parts?: readonly { readonly rate_bps: number | null; readonly unit_pence: number }[] | null | undefined;
  readonly quantity: number;
  readonly unit_price_pence: number;
}

const byRateOf = <Line extends RatedLine>(lines: readonly Line[]): readonly Line[] =>
  lines.flatMap((line) =>
    line.vat_parts
      ? line.vat_parts.map(({ rate_bps, unit_pence }) => ({
          ...line,
          vat_parts: null,
          vat_rate_bps: rate_bps,
          unit_price_pence: unit_pence,
        }))
      : [line],
  );

export interface VatSum {
  readonly rate_bps: number | null;
  readonly net_pence: number;
  readonly vat_pence: number;
  readonly gross_pence: number;
}

/**
 * Sums lines by their VAT rate, highest rate first and lines without a rate last. Prices contain the VAT. The discount is split over the
 * rates in proportion to their sums, so the gross amounts add up to the lines less the discount. The VAT is rounded once for each rate,
 * half a penny up. A rate whose goods were free is left out.
 */
export function sumVat(lines: readonly RatedLine[], discountPence: number): VatSum[] {
  const byRate = new Map<number | null, number>();
  for (const { vat_rate_bps: rate, quantity, unit_price_pence } of byRateOf(lines))
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

/**
 * A refund that was accepted, as its credit note shows it. Instants are ISO 8601; `failed_at` is null when it did not fail after its
 * acceptance. `lines` is empty for a refund of an amount.
 */
export interface AcceptedRefund {
  readonly order_id: string;
  readonly amount_pence: number;
  readonly accepted_at: string;
  readonly failed_at: string | null;
  readonly lines: readonly (Pick<RatedLine, 'vat_rate_bps' | 'vat_parts'> & { readonly sum_pence: number })[];
}

export interface SoldLine extends RatedLine {
  readonly order_id: string;
}

/** Returns the number of a credit note: S1-1042-C1 is the first one of the invoice S1-1042. */
export const creditNoteNumber = ({ order_number }: { readonly order_number: string }, creditNote: number): string =>
  `${order_number}-C${creditNote}`;

export interface Credit {
  readonly vat: readonly VatSum[];
  readonly tip_pence: number;
}

/**
 * Returns the part of each rate in each refund of an order, in the order of their acceptance. A refund of lines has their rates; one of a
 * leg, the leg's rates; any other takes from the whole rest in proportion. The tip comes last. A refund's VAT at a rate is the VAT of the
 * rest before it less that of the rest after it, so after a full refund the credit notes sum to the invoice. A refund that failed before
 * another was accepted is ignored for the other one, so a credit note never changes afterwards.
 */
export function creditsOf(
  order: { readonly id: string; readonly lines: readonly SoldLine[]; readonly discount_pence: number },
  refunds: readonly AcceptedRefund[],
): readonly Credit[] {
  const sold = sumVat(order.lines, order.discount_pence);
  const made: { readonly refund: AcceptedRefund; readonly parts: readonly number[] }[] = [];
  return refunds.map((refund) => {
    const standing = made.filter(({ refund: { failed_at } }) => failed_at === null || failed_at > refund.accepted_at);
    const left = sold.map(({ gross_pence }, n) => standing.reduce((rest, { parts }) => rest - (parts[n] ?? 0), gross_pence));
    const parts = partsOf(refund, wantedOf(refund, order, sold), left);
    made.push({ refund, parts });
    const vat = sold.map(({ rate_bps }, n): VatSum => {
      const [before, gross] = [left[n] ?? 0, parts[n] ?? 0];
      const vatPence = vatWithin(before, rate_bps).vat_pence - vatWithin(before - gross, rate_bps).vat_pence;
      return { rate_bps, net_pence: gross - vatPence, vat_pence: vatPence, gross_pence: gross };
    });
    return { vat: vat.filter(({ gross_pence }) => gross_pence > 0), tip_pence: refund.amount_pence - sumOf(parts) };
  });
}

/** The named part of a refund at each rate: all of it for lines and for a leg, nothing for an amount of the whole order. */
function wantedOf(
  { order_id, amount_pence, lines }: AcceptedRefund,
  order: { readonly id: string; readonly lines: readonly SoldLine[] },
  sold: readonly VatSum[],
): number[] {
  const byRate = (rated: readonly { readonly vat_rate_bps: number | null; readonly sum_pence: number }[]) =>
    sold.map(({ rate_bps }) => sumOf(rated.filter(({ vat_rate_bps }) => vat_rate_bps === rate_bps).map(({ sum_pence }) => sum_pence)));
  if (lines.length > 0) return byRate(lines.flatMap(partsOfRefunded));
  if (order_id === order.id) return sold.map(() => 0);
  const ofLeg = byRateOf(order.lines.filter((line) => line.order_id === order_id));
  return splitByWeight(amount_pence, byRate(ofLeg.map((line) => ({ ...line, sum_pence: line.quantity * line.unit_price_pence }))));
}

/** Splits refunded units of a line over its rates in proportion to their part of the price. */
function partsOfRefunded({ vat_rate_bps, vat_parts, sum_pence }: AcceptedRefund['lines'][number]) {
  if (!vat_parts) return [{ vat_rate_bps, sum_pence }];
  const shares = splitByWeight(
    sum_pence,
    vat_parts.map(({ unit_pence }) => unit_pence),
  );
  return vat_parts.map(({ rate_bps }, n) => ({ vat_rate_bps: rate_bps, sum_pence: shares[n] ?? 0 }));
}

/** Takes the named part first, up to what is left of each rate; the remainder comes from the whole rest, in proportion. */
function partsOf({ amount_pence }: AcceptedRefund, wanted: readonly number[], left: readonly number[]): readonly number[] {
  const said = left.map((pence, n) => Math.min(pence, wanted[n] ?? 0));
  const rest = left.map((pence, n) => pence - (said[n] ?? 0));
  const shares = splitByWeight(Math.min(amount_pence - sumOf(said), sumOf(rest)), rest);
  return said.map((pence, n) => pence + (shares[n] ?? 0));
}

const sumOf = (pence: readonly number[]): number => pence.reduce((sum, one) => sum + one, 0);
