import type { BenchStore } from '../system/bench-stores.ts';
import { anyOf, type Customers, type Line, orderRequest } from './customers.ts';
import { type Load, openConnections, runLoad } from './run-load.ts';

interface PlaceOptions {
  readonly gatewayUrl: string;
  readonly customers: Customers;
  readonly stores: readonly BenchStore[];
  readonly items: readonly Line[];
  readonly concurrency: number;
  readonly seconds: number;
}

/** Places orders through the gateway for some seconds. Throws at the first that is refused. */
export async function placeOrders({ gatewayUrl, customers, stores, items, ...load }: PlaceOptions): Promise<Load> {
  using connections = await openConnections(gatewayUrl, load.concurrency);
  return await runLoad(load, async (worker) => {
    const customer = Math.floor(Math.random() * customers.ids.length);
    const { status, body } = await connections.of(worker).send(orderRequest(customers.headers(customer), anyOf(stores), items));
    if (status !== 200) throw new Error(`an order received ${status}: ${body}`);
  });
}
