import { type Customers, gatherCustomers } from '../load/order-load.ts';
import { type Finding, spread } from '../report/figures.ts';
import { type BenchStore, menu, scarceUnits } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import type { PartOptions } from './part.ts';

interface Race {
  readonly accepted: number;
  /** Units taken according to the stock, and units on order lines. */
  readonly taken: number;
  readonly ordered: number;
}

const racers = 24;

/**
 * 24 concurrent customers order one unit each of an item with 20, through the gateway, for each scarce item of the first stores.
 * Throws when the responses, the stock and the order lines do not agree.
 */
export async function measureOversell(bench: BenchSystem, { repetitions }: PartOptions): Promise<Finding[]> {
  using customers = await gatherCustomers(bench.system, racers, racers);
  const sold: number[] = [];
  for (const store of bench.stores.slice(0, repetitions)) {
    for (const item of menu.scarce) {
      const { accepted, taken, ordered } = await race(bench, customers, store, item);
      if (accepted !== taken || taken !== ordered) throw new Error(`${accepted} units accepted, ${taken} taken, ${ordered} on order lines`);
      sold.push(accepted);
    }
  }
  const what = `${racers} customers for ${scarceUnits} units, ${sold.length} races`;
  return [{ what, unit: 'sold', figure: spread(sold, { near: scarceUnits }), goal: { at: 'exactly', value: scarceUnits } }];
}

async function race({ database }: BenchSystem, customers: Customers, store: BenchStore, item: string): Promise<Race> {
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
  return { accepted: replies.filter(({ status }) => status === 200).length, taken: rows[0]?.taken ?? 0, ordered: rows[0]?.ordered ?? 0 };
}
