import { randomUUID } from 'node:crypto';

/** A store of the benchmarks. */
export interface BenchStore {
  readonly id: string;
  readonly code: string;
}

/** The items of its menu. Orders of free items need no payment provider. */
export const menu = {
  /** Free, with a stock that is never exhausted. */
  counted: 'glass-of-water',
  /** Free, without a stock. */
  uncounted: 'napkin',
  /** Costs money, so the order needs the payment provider. */
  priced: 'coffee',
  /** Items with a stock of 20. The first two are free. */
  scarce: ['bun-1', 'bun-2', 'bun-3', 'bun-4'],
} as const;

/** Units of each scarce item. */
export const scarceUnits = 20;

/** Makes several stores, because the orders of one store wait for each other to draw an order number. */
export const makeStores = (count: number): BenchStore[] =>
  Array.from({ length: count }, (_, i) => ({ id: randomUUID(), code: `BENCH${i + 1}` }));

/** The directory file of these stores, their menus and programmes, in the format of `corner apply`. */
export const directoryOf = (stores: readonly BenchStore[]): unknown => ({
  stores: stores.map(({ id, code }) => ({
    id,
    code,
    name: `Bench ${code}`,
    connected_account_id: `acct_${code.toLowerCase()}`,
    fee_bps: 250,
  })),
  menus: stores.map(({ id }) => ({
    store_id: id,
    items: [
      { id: menu.counted, name: 'Glass of water', price_pence: 0, stock: 1_000_000_000 },
      { id: menu.uncounted, name: 'Napkin', price_pence: 0 },
      { id: menu.priced, name: 'Coffee', price_pence: 250 },
      ...menu.scarce.map((item, i) => ({ id: item, name: item, price_pence: i < 2 ? 0 : 250, stock: scarceUnits })),
    ],
  })),
  programmes: stores.map(({ id }) => ({
    store_id: id,
    goal: 10,
    stamps_per_order: 1,
    monthly_stamp_quota: null,
    daily_stamp_limit: 1_000_000,
  })),
});
