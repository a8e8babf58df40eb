import { randomUUID } from 'node:crypto';

export interface BenchStore {
  readonly id: string;
  readonly code: string;
}

/** Free items need no payment provider, `counted` ones have a stock that is never exhausted, `scarce` ones have 20. */
export const menu = {
  counted: 'glass-of-water',
  uncounted: 'napkin',
  priced: 'coffee',
  scarce: ['bun-1', 'bun-2', 'bun-3', 'bun-4'],
} as const;

export const basketOf = (...ids: readonly string[]) => ({ items: ids.map((menu_item_id) => ({ menu_item_id, quantity: 1 })) });

export const freeBasket = basketOf(menu.counted, menu.uncounted);
export const pricedBasket = basketOf(menu.priced, menu.uncounted);

export const scarceUnits = 20;

const unreachedSpend = 1;

/** A free order at a store of `rewarding` earns a stamp and sends messages; one of `plain` does neither. */
export interface BenchDirectory {
  readonly rewarding: StoresAndCustomers;
  readonly plain: StoresAndCustomers;
}

export interface StoresAndCustomers {
  readonly stores: readonly BenchStore[];
  readonly customerIds: readonly string[];
}

/** Makes several stores of each kind, because the orders of one store wait for each other to draw an order number. */
export const makeDirectory = (stores = 16, customers = 256, plain = stores): BenchDirectory => ({
  rewarding: { stores: makeStores(stores, 'BENCH'), customerIds: makeIds(customers) },
  plain: { stores: makeStores(plain, 'PLAIN'), customerIds: makeIds(customers) },
});

const makeStores = (count: number, prefix: string): BenchStore[] => makeIds(count).map((id, i) => ({ id, code: `${prefix}${i + 1}` }));
const makeIds = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

export function directoryFile({ rewarding, plain }: BenchDirectory): unknown {
  const stores = [...rewarding.stores, ...plain.stores];
  return {
    stores: stores.map(({ id, code }) => ({
      id,
      code,
      name: `Bench ${code}`,
      connected_account_id: `acct_${code.toLowerCase()}`,
      fee_bps: 250,
      walk_ins_accepted: true,
    })),
    menus: stores.map(({ id }) => ({ store_id: id, items })),
    slots: stores.map(({ id }) => ({ store_id: id, slots: slots() })),
    floors: stores.map(({ id }) => ({ store_id: id, services: [cut], units: [chair(1), chair(2)] })),
    programmes: [...rewarding.stores.map(({ id }) => programme(id, 0)), ...plain.stores.map(({ id }) => programme(id, unreachedSpend))],
    customers: rewarding.customerIds.map((id, i) => ({
      id,
      name: `Customer ${i + 1}`,
      email: `customer-${i + 1}@example.com`,
      push_devices: [{ id: `device-${i + 1}`, platform: 'android' }],
    })),
  };
}

const items = [
  { id: menu.counted, name: 'Glass of water', price_pence: 0, stock: 1_000_000_000 },
  { id: menu.uncounted, name: 'Napkin', price_pence: 0 },
  { id: menu.priced, name: 'Coffee', price_pence: 250 },
  ...menu.scarce.map((item, i) => ({ id: item, name: item, price_pence: i < 2 ? 0 : 250, stock: scarceUnits })),
];

const span = (from: number, to: number) => {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  return { starts_at: at(from), ends_at: at(to) };
};

const slots = () => Array.from({ length: 24 }, (_, hour) => ({ id: randomUUID(), ...span(hour + 1, hour + 2), capacity: 1_000 }));

const cut = { id: randomUUID(), name: 'Cut', minutes: 25 };
const chair = (number: number) => ({ id: randomUUID(), name: `Chair ${number}`, service_ids: [cut.id], shifts: [span(-24, 48)] });

export const goal = 10;

const programme = (storeId: string, minSpendPence: number) => ({
  store_id: storeId,
  goal,
  stamps_per_order: 1,
  min_spend_pence: minSpendPence,
  monthly_stamp_quota: null,
  daily_stamp_limit: 1_000_000,
});
