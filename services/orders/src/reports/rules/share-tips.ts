import { byRow, splitByWeight, type TipPart } from '@corner/contracts';

export interface WeightedList {
  readonly day: string;
  readonly shares: readonly { readonly key: string; readonly worker: string; readonly weight: number }[];
  readonly proof: string;
}

export interface DatedTip {
  /** The day on which the order of the tip was paid. */
  readonly paid_on: string;
  readonly tip_pence: number;
}

export interface SharedTips {
  readonly tips_pence: number;
  readonly unshared_pence: number;
  readonly parts: readonly TipPart[];
}

/**
 * Divides the tips of a day: those paid on it, and those of earlier days that its refunds took back. Each is shared by the list of the day
 * on which it was paid, or by the day's own where that day has none. The parts and `unshared_pence` sum to `tips_pence`.
 */
export function shareTips(date: string, tips: readonly DatedTip[], lists: readonly WeightedList[]): SharedTips {
  const listOf = (day: string) => lists.find((list) => list.day === day);
  const sums = new Map([[date, 0]]);
  for (const { paid_on, tip_pence } of tips) {
    const day = listOf(paid_on) ? paid_on : date;
    sums.set(day, (sums.get(day) ?? 0) + tip_pence);
  }
  const own = listOf(date);
  const parts = [...sums].flatMap(([day, pence]) => {
    const list = listOf(day);
    return list && (pence !== 0 || list === own) ? partsOf(list, pence) : [];
  });
  const tips_pence = tips.reduce((sum, { tip_pence }) => sum + tip_pence, 0);
  return { tips_pence, unshared_pence: own ? 0 : (sums.get(date) ?? 0), parts: byRow(parts) };
}

function partsOf({ day, shares, proof }: WeightedList, tips_pence: number): TipPart[] {
  const weights = shares.map(({ weight }) => weight);
  const amounts = splitByWeight(tips_pence, weights);
  const total_weight = weights.reduce((sum, weight) => sum + weight, 0);
  return shares.map((share, n) => ({
    ...share,
    ...{ date: day, tips_pence, row: n + 1, total_weight, amount_pence: amounts[n] ?? 0, entered: proof },
  }));
}

export interface Person {
  readonly worker: string;
  readonly amount_pence: number;
  readonly parts: readonly TipPart[];
}

/** Gathers the parts of each worker: those of the list of `date` first, in its order. */
export function peopleOf(date: string, parts: readonly TipPart[]): readonly Person[] {
  const ownFirst = parts.toSorted((a, b) => Number(b.date === date) - Number(a.date === date));
  return [...Map.groupBy(ownFirst, ({ worker }) => worker)].map(([worker, of]) => ({
    worker,
    amount_pence: of.reduce((sum, { amount_pence }) => sum + amount_pence, 0),
    parts: of,
  }));
}
