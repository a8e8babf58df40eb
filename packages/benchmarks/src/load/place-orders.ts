import type { BenchStore } from '../system/bench-stores.ts';
import { anyOf, type Basket, type Customers, orderRequest } from './customers.ts';
import { type Load, openConnections, runLoad } from './run-load.ts';

interface PlaceOptions {
  readonly gatewayUrl: string;
  readonly customers: Customers;
  readonly stores: readonly BenchStore[];
  readonly basket: Basket;
  readonly concurrency: number;
  readonly seconds: number;
}

export async function placeOrders({ gatewayUrl, customers, stores, basket, ...load }: PlaceOptions): Promise<Load> {
  using connections = await openConnections(gatewayUrl, load.concurrency);
  return await runLoad(load, async (worker) => {
    const customer = Math.floor(Math.random() * customers.ids.length);
    const { status, body } = await connections.of(worker).send(orderRequest(customers.headers(customer), anyOf(stores), basket));
    if (status !== 200) throw new Error(`an order received ${status}: ${body}`);
  });
}
