import type { BookRow, ReportItem } from '@corner/contracts';
import type { DayFigures } from './figures.ts';
import type { TipEntry } from './sum-day.ts';

export interface BookContents {
  readonly moved: readonly Omit<BookRow, 'row'>[];
  readonly tips: readonly TipEntry[];
  readonly figures: DayFigures;
  readonly items: readonly ReportItem[];
}

const nothing = {
  name: '',
  at: null,
  order_number: null,
  order_id: null,
  amount_pence: null,
  count: null,
  tender: null,
  given_pence: null,
  reference: null,
  provider_ref: null,
  drawer_id: null,
  by_id: null,
};

/** Returns the numbered rows of a day's book. The same contents give the same rows: their hashes are signed. */
export function bookRows({ moved, tips, figures, items }: BookContents, currency: string): readonly BookRow[] {
  const rows: Omit<BookRow, 'row'>[] = [
    ...moved,
    ...tips.map(({ at, order_number, order_id, tip_pence }) => ({
      ...nothing,
      what: 'tip' as const,
      at,
      order_number,
      order_id,
      amount_pence: tip_pence,
      currency,
    })),
    ...sumsIn(figures).map(([name, value]) => ({ ...nothing, what: 'sum' as const, ...namedSum(name, value), currency })),
    ...items.map(({ name, quantity, amount_pence }) => ({
      ...nothing,
      what: 'item' as const,
      name,
      count: quantity,
      amount_pence,
      currency,
    })),
  ];
  return rows.map((row, n) => ({ row: n + 1, ...row }));
}

const namedSum = (name: string, value: number) =>
  name.endsWith('_pence') ? { name: name.slice(0, -'_pence'.length), amount_pence: value } : { name, count: value };

/** Lists the numbers in figures by path: `refunds.amount_pence`, or with the keys of a list's row, `takings.counter.cash.payments`. */
function sumsIn(of: object, path = ''): [string, number][] {
  return Object.entries(of).flatMap(([name, value]): [string, number][] => {
    if (typeof value === 'number') return name === 'rate_bps' ? [] : [[`${path}${name}`, value]];
    if (Array.isArray(value)) return value.flatMap((row: object) => sumsIn(row, `${path}${name}.${labelOf(row)}.`));
    return typeof value === 'object' && value !== null ? sumsIn(value, `${path}${name}.`) : [];
  });
}

const labelOf = (row: object): string =>
  Object.entries(row)
    .filter(([name, value]) => typeof value === 'string' || name === 'rate_bps')
    .map(([, value]) => value ?? 'none')
    .join('.');
