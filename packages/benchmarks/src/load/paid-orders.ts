import { randomUUID } from 'node:crypto';
import { type RunningSystem, simulatorKey } from '@corner/sandbox/system';
import type { BenchStore } from '../system/bench-stores.ts';
import { anyOf, type Basket, type Customers, orderRequest } from './customers.ts';
import type { HttpConnection, HttpRequest } from './http-connection.ts';
import { type Load, openConnections, runLoad } from './run-load.ts';

interface PaidOptions {
  readonly system: Pick<RunningSystem, 'gatewayUrl' | 'paymentsUrl'>;
  readonly customers: Customers;
  readonly stores: readonly BenchStore[];
  readonly basket: Basket;
  readonly concurrency: number;
  readonly seconds: number;
}

export interface PaidLoad extends Load {
  readonly create: readonly number[];
  readonly confirm: readonly number[];
  readonly orders: readonly PaidOrder[];
}

export interface PaidOrder {
  readonly id: string;
  readonly store: BenchStore;
  readonly customerId: string;
}

export async function payForOrders({ system, customers, stores, basket, ...load }: PaidOptions): Promise<PaidLoad> {
  using gateway = await openConnections(system.gatewayUrl, load.concurrency);
  using provider = await openConnections(system.paymentsUrl ?? '', load.concurrency);
  const [create, confirm, orders]: [number[], number[], PaidOrder[]] = [[], [], []];
  const result = await runLoad(load, async (worker) => {
    const customer = Math.floor(Math.random() * customers.ids.length);
    const [store, headers] = [anyOf(stores), customers.headers(customer)];
    const created = await timed(gateway.of(worker), orderRequest(headers, store, basket), create);
    const { order_id, payment_intent_id } = JSON.parse(created) as { order_id: string; payment_intent_id: string };
    await timed(provider.of(worker), payRequest(payment_intent_id), []);
    await timed(gateway.of(worker), confirmRequest(headers, store, payment_intent_id), confirm);
    orders.push({ id: order_id, store, customerId: customers.ids[customer] ?? '' });
  });
  return { ...result, create, confirm, orders };
}

async function timed(connection: HttpConnection, request: HttpRequest, took: number[]): Promise<string> {
  const startedAt = performance.now();
  const { status, body } = await connection.send(request);
  took.push(performance.now() - startedAt);
  if (status !== 200) throw new Error(`${request.method} ${request.path} received ${status}: ${body}`);
  return body;
}

export const payRequest = (intentId: string): HttpRequest => ({
  method: 'POST',
  path: `/v1/payment_intents/${intentId}/confirm`,
  headers: { authorization: `Bearer ${simulatorKey}`, 'content-type': 'application/x-www-form-urlencoded' },
  body: 'payment_method=pm_card_visa',
});

export const confirmRequest = (headers: Readonly<Record<string, string>>, { id }: BenchStore, intentId: string): HttpRequest => ({
  method: 'POST',
  path: '/api/v1/orders/confirm',
  headers: { ...headers, 'idempotency-key': randomUUID() },
  body: JSON.stringify({ store_id: id, payment_intent_id: intentId }),
});
