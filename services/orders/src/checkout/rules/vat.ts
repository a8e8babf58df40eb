/** Rates by whether something is eaten in, each once at most. */
export type VatByPlace = readonly { readonly when: 'eat_in' | 'away'; readonly rate_bps: number }[];

/** What is of one rate in the price of one, in hundredths of a percent; null for a part of which the menu names none. */
export interface VatPart {
  readonly rate_bps: number | null;
  readonly unit_pence: number;
}

interface Rated {
  readonly vat?: VatByPlace | null | undefined;
  /** Where `vat` does not name it. */
  readonly vat_rate_bps: number | null;
}

/** Returns the rate of an item or a choice, by whether it is eaten in. */
export const rateOf = ({ vat, vat_rate_bps }: Rated, eatIn: boolean): number | null =>
  vat?.find(({ when }) => when === (eatIn ? 'eat_in' : 'away'))?.rate_bps ?? vat_rate_bps;

/**
 * Returns what each rate is of the price of one, the highest rate first; they sum to it. Null when all of it has the rate of the item, also when what has
 * another one costs nothing.
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
