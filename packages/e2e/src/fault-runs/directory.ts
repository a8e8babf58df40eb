import { randomUUID } from 'node:crypto';
import { demoDirectory, stores as demoStores } from '@corner/sandbox/demo';

export const items = { free: 'glass-of-water', priced: 'coffee' } as const;

export interface FaultDirectory {
  readonly stores: readonly { readonly id: string; readonly code: string }[];
  readonly barber: string;
  readonly customerIds: readonly string[];
}

/**
 * Several stores, because orders of one store wait for each other to draw an order number. Customers have an e-mail address, so that each
 * paid order has a receipt that could be lost.
 */
export const makeDirectory = (storeCount = 4, customerCount = 200): FaultDirectory => ({
  stores: Array.from({ length: storeCount }, (_, n) => ({ id: randomUUID(), code: `FAULT${n + 1}` })),
  barber: demoStores.cuts.id,
  customerIds: Array.from({ length: customerCount }, () => randomUUID()),
});

export const addressOf = (customerId: string): string => `${customerId}@example.com`;

interface DemoFile {
  readonly stores: readonly object[];
  readonly menus: readonly object[];
  readonly programmes: readonly object[];
}

export function directoryFile({ stores, customerIds }: FaultDirectory): unknown {
  const demo = demoDirectory(new Date()) as DemoFile;
  return {
    ...demo,
    bookings: [],
    stores: [
      ...demo.stores,
      ...stores.map(({ id, code }) => ({ id, code, name: code, connected_account_id: `acct_${code.toLowerCase()}`, fee_bps: 250 })),
    ],
    menus: [...demo.menus, ...stores.map(({ id }) => ({ store_id: id, items: menu }))],
    programmes: [...demo.programmes, ...stores.map(({ id }) => ({ store_id: id, ...programme }))],
    customers: customerIds.map((id) => ({ id, name: 'Dee', email: addressOf(id) })),
  };
}

const menu = [
  { id: items.free, name: 'Glass of water', price_pence: 0, stock: 1_000_000_000 },
  { id: items.priced, name: 'Coffee', price_pence: 250 },
];

const programme = {
  goal: 10,
  stamps_per_order: 1,
  min_spend_pence: 0,
  monthly_stamp_quota: null,
  daily_stamp_limit: 1_000_000,
};
