import { randomUUID } from 'node:crypto';
import { signIn } from '../load/customers.ts';
import { openHttpConnection } from '../load/http-connection.ts';
import { type PaidOrder, payForOrders } from '../load/paid-orders.ts';
import { travelTimes } from '../load/publish-order-events.ts';
import { type Finding, quantile, spread } from '../report/figures.ts';
import { pricedBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { untilSettled } from '../system/settled.ts';
import type { PartOptions } from './part.ts';

export async function measureRefunds(bench: BenchSystem, { repetitions, seconds, log }: PartOptions): Promise<Finding[]> {
  const { system, rewarding } = bench;
  const { stores, customerIds } = rewarding;
  const customers = await signIn(system, customerIds);
  const runs: number[][] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const { orders } = await payForOrders({ system, customers, stores, basket: pricedBasket, concurrency: 16, seconds });
    await untilSettled(bench);
    await refundAll(bench, orders);
    await untilSettled(bench);
    const took = await untilReversed(bench, orders);
    runs.push(took);
    log(
      `refund ${repetition}/${repetitions}: p50 ${quantile(took, 0.5).toFixed(1)} ms, p99 ${quantile(took, 0.99).toFixed(1)} ms, of ${took.length}`,
    );
  }
  const what = 'refund accepted to stamps reversed, one at a time';
  const at = (q: number) =>
    spread(
      runs.map((took) => quantile(took, q)),
      'less',
    );
  return [
    { what: `${what}, p50`, unit: 'ms', figure: at(0.5) },
    { what: `${what}, p99`, unit: 'ms', figure: at(0.99), goal: { at: 'most', value: 20 } },
  ];
}

async function refundAll({ system, rewarding }: BenchSystem, orders: readonly PaidOrder[]): Promise<void> {
  const all = rewarding.stores.map(({ id }) => id);
  const token = await system.tokens.token({ typ: 'merchant', sub: randomUUID(), stores: all, name: 'Bo' });
  using gateway = await openHttpConnection(system.gatewayUrl);
  for (const { id, store } of orders) {
    const { status, body } = await gateway.send({
      method: 'POST',
      path: `/api/v1/orders/${id}/refund`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ store_id: store.id, reason: 'It was cold.', refund_attempt_id: randomUUID() }),
    });
    if (status !== 200) throw new Error(`a refund received ${status}: ${body}`);
  }
}

async function untilReversed({ database }: BenchSystem, orders: readonly PaidOrder[]): Promise<number[]> {
  const ids = orders.map(({ id }) => id);
  const { rows: events } = await database.query<{ event_id: string }>(
    `select event_id from orders.outbox where type = 'order.refunded' and aggregate_id = any($1)`,
    [ids],
  );
  const { rows } = await database.query<{ left: number }>(
    `select count(*)::int as left from loyalty.stamp where order_id = any($1::uuid[]) and status = 'approved'`,
    [ids],
  );
  if (events.length !== ids.length || rows[0]?.left !== 0)
    throw new Error(`${rows[0]?.left} stamps of ${ids.length} refunds were not reversed`);
  return await travelTimes(
    database,
    events.map(({ event_id }) => event_id),
  );
}
