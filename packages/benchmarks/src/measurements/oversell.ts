import { gatherCustomers } from '../load/order-load.ts';
import { menu, scarceUnits } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';

export interface Race {
  readonly item: string;
  readonly accepted: number;
  readonly refused: number;
  /** Units taken according to the stock, and units on order lines. */
  readonly taken: number;
  readonly ordered: number;
}

const racers = 24;

/** 24 concurrent customers order one unit each of an item with 20, through the gateway, for each scarce item of the first stores. */
export async function raceForLastUnits({ system, stores, database }: BenchSystem, storeCount: number): Promise<Race[]> {
  using customers = await gatherCustomers(system, racers, racers);
  const races: Race[] = [];
  for (const store of stores.slice(0, storeCount)) {
    for (const item of menu.scarce) {
      const replies = await Promise.all(
        Array.from({ length: racers }, (_, racer) => customers.order(racer, store, [{ menu_item_id: item, quantity: 1 }])),
      );
      const unexpected = replies.find(({ status, body }) => status !== 200 && !(status === 409 && body.includes('OUT_OF_STOCK')));
      if (unexpected) throw new Error(`a customer received ${unexpected.status}: ${unexpected.body}`);
      const { rows } = await database.query<{ taken: number; ordered: number }>(
        `select (select taken from orders.menu_item where store_id = $1 and id = $2) as taken,
           (select coalesce(sum(l.quantity), 0)::int from orders.order_line l join orders.orders o on o.id = l.order_id
            where o.store_id = $1 and l.menu_item_id = $2) as ordered`,
        [store.id, item],
      );
      const accepted = replies.filter(({ status }) => status === 200).length;
      races.push({ item, accepted, refused: racers - accepted, taken: rows[0]?.taken ?? 0, ordered: rows[0]?.ordered ?? 0 });
    }
  }
  return races;
}

/** Whether exactly 20 units were sold according to the responses, the stock and the order lines. */
export const isExact = ({ accepted, taken, ordered }: Race): boolean =>
  accepted === scarceUnits && taken === scarceUnits && ordered === scarceUnits;
