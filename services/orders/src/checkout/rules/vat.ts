export type VatByPlace = readonly { readonly when: 'eat_in' | 'away'; readonly rate_bps: number }[];

/** The part of a unit price that has one rate, in hundredths of a percent; a null rate when the menu names none. */
export interface VatPart {
  readonly rate_bps: number | null;
  readonly unit_pence: number;
}

interface Rated {
  readonly vat?: VatByPlace | null | undefined;
  readonly vat_rate_bps: number | null;
}

export const rateOf = ({ vat, vat_rate_bps }: Rated, eatIn: boolean): number | null =>
  vat?.find(({ when }) => when === (eatIn ? 'eat_in' : 'away'))?.rate_bps ?? vat_rate_bps;

/**
 * Splits the price of one unit by VAT rate, highest rate first. Null when all of it has the item's rate, also when choices at another rate
 * cost nothing.
 */
export function vatPartsOf(
  itemPence: number,
  itemRate: number | null,
  choices: readonly { readonly price_pence: number; readonly vat?: VatByPlace | null | undefined }[],
  eatIn: boolean,
): readonly VatPart[] | null {
  const byRate = new Map<number | null, number>([[itemRate, itemPence]]);
  for (const { price_pence, vat } of choices) {
    const rate = rateOf({ vat, vat_rate_bps: itemRate }, eatIn);
    byRate.set(rate, (byRate.get(rate) ?? 0) + price_pence);
  }
  const parts = [...byRate].flatMap(([rate_bps, unit_pence]) => (unit_pence > 0 ? [{ rate_bps, unit_pence }] : []));
  if (parts.every(({ rate_bps }) => rate_bps === itemRate)) return null;
  return parts.sort((a, b) => (b.rate_bps ?? -1) - (a.rate_bps ?? -1));
}
