import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { RunningSystem } from '@corner/sandbox';
import type { BenchStore } from './bench-stores.ts';

/** What came of one request. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** A basket line. */
export interface Line {
  readonly menu_item_id: string;
  readonly quantity: number;
}

/** Customers with tokens, and kept connections to the gateway. */
export interface Crowd extends Disposable {
  /** Places an order for one of the customers. Rejects when no whole answer came. */
  order(customer: number, store: BenchStore, items: readonly Line[]): Promise<Reply>;
  readonly size: number;
}

/** Signs customers in and readies connections for `atOnce` requests. */
export async function gather(system: RunningSystem, size: number, atOnce: number): Promise<Crowd> {
  const url = new URL('/api/v1/orders', system.gatewayUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
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

/** What a load came to. */
export interface Load {
  readonly orders: number;
  readonly perSecond: number;
  /** Milliseconds each took. */
  readonly took: readonly number[];
}

interface LoadOptions {
  readonly crowd: Crowd;
  readonly stores: readonly BenchStore[];
  readonly items: readonly Line[];
  readonly atOnce: number;
  readonly seconds: number;
}

/** Places orders, so many at once, each as soon as one before it is answered. Throws at the first that is not accepted. */
export async function placeOrders({ crowd, stores, items, atOnce, seconds }: LoadOptions): Promise<Load> {
  const took: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  const worker = async () => {
    for (let now = performance.now(); now < until; ) {
      const store = stores[Math.floor(Math.random() * stores.length)];
      if (!store) throw new Error('no store to order from');
      const { status, body } = await crowd.order(Math.floor(Math.random() * crowd.size), store, items);
      if (status !== 200) throw new Error(`an order was answered ${status}: ${body}`);
      const after = performance.now();
      took.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { orders: took.length, perSecond: took.length / ((performance.now() - began) / 1000), took };
}
