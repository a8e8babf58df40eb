import { type Customers, orderRequest, signIn } from '../load/customers.ts';
import { type Connections, openConnections } from '../load/run-load.ts';
import { type Finding, spread } from '../report/figures.ts';
import { type BenchStore, basketOf, menu, scarceUnits } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import type { PartOptions } from './part.ts';

interface Race {
  readonly accepted: number;
  readonly taken: number;
  readonly ordered: number;
}

const racers = 24;

/** 24 concurrent customers order an item of which there are 20. Throws when the responses, the stock and the order lines do not agree. */
export async function measureOversell(bench: BenchSystem, { repetitions }: PartOptions): Promise<Finding[]> {
  const customers = await signIn(bench.system, bench.plain.customerIds.slice(0, racers));
  using connections = await openConnections(bench.system.gatewayUrl, racers);
  const sold: number[] = [];
  for (const store of bench.plain.stores.slice(0, repetitions)) {
    for (const item of menu.scarce) {
      const { accepted, taken, ordered } = await race(bench, { customers, connections, store, item });
      if (accepted !== taken || taken !== ordered) throw new Error(`${accepted} units accepted, ${taken} taken, ${ordered} on order lines`);
      sold.push(accepted);
    }
  }
  const what = `${racers} customers for ${scarceUnits} units, ${sold.length} races`;
  return [{ what, unit: 'sold', figure: spread(sold, { near: scarceUnits }), goal: { at: 'exactly', value: scarceUnits } }];
}

interface RaceOptions {
  readonly customers: Customers;
  readonly connections: Connections;
  readonly store: BenchStore;
  readonly item: string;
}

async function race({ database }: BenchSystem, { customers, connections, store, item }: RaceOptions): Promise<Race> {
  const replies = await Promise.all(
    Array.from({ length: racers }, (_, racer) => connections.of(racer).send(orderRequest(customers.headers(racer), store, basketOf(item)))),
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
