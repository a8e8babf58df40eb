import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { RunningSystem } from '@corner/sandbox';
import type { BenchStore } from '../system/bench-stores.ts';

/** The response to one request. */
export interface OrderResponse {
  readonly status: number;
  readonly body: string;
}

/** A basket line. */
export interface Line {
  readonly menu_item_id: string;
  readonly quantity: number;
}

/** Customers with tokens who share connections to the gateway. */
export interface Customers extends Disposable {
  /** Places an order for one of the customers. Rejects when no complete response arrives. */
  order(customer: number, store: BenchStore, items: readonly Line[]): Promise<OrderResponse>;
  readonly size: number;
}

/** Signs tokens for `size` customers and prepares connections for `atOnce` requests. */
export async function gatherCustomers(system: RunningSystem, size: number, concurrency: number): Promise<Customers> {
  const url = new URL('/api/v1/orders', system.gatewayUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const tokens = await Promise.all(
    Array.from({ length: size }, () => system.tokens.token({ typ: 'customer', sub: randomUUID(), ttlSeconds: 4 * 3600 })),
  );
  return {
    size,
    order: (customer, store, items) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ store_code: store.code, store_id: store.id, idempotency_key: randomUUID(), items });
        const headers = {
          authorization: `Bearer ${tokens[customer % size]}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'idempotency-key': randomUUID(),
        };
        const sent = request(url, { method: 'POST', agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** The result of a load. */
export interface Load {
  readonly orders: number;
  readonly perSecond: number;
  /** Milliseconds of each order. */
  readonly took: readonly number[];
}

interface LoadOptions {
  readonly customers: Customers;
  readonly stores: readonly BenchStore[];
  readonly items: readonly Line[];
  readonly concurrency: number;
  readonly seconds: number;
}

/** Places orders for some seconds, each worker its next one as soon as its last is accepted. Throws at the first that is refused. */
export async function placeOrders({ customers, stores, items, concurrency, seconds }: LoadOptions): Promise<Load> {
  const took: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const worker = async () => {
    for (let now = performance.now(); now < until; ) {
      const store = stores[Math.floor(Math.random() * stores.length)];
      if (!store) throw new Error('no store to order from');
      const { status, body } = await customers.order(Math.floor(Math.random() * customers.size), store, items);
      if (status !== 200) throw new Error(`an order received ${status}: ${body}`);
      const after = performance.now();
      took.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { orders: took.length, perSecond: took.length / ((performance.now() - startedAt) / 1000), took };
}
