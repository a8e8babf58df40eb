import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '../load/customers.ts';
import { type HttpConnection, openHttpConnection } from '../load/http-connection.ts';
import { type PaidOrder, payForOrders } from '../load/paid-orders.ts';
import { type Finding, rowsOf } from '../report/figures.ts';
import { pricedBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { countsAreCompleteAfterMs } from '../system/database-counts.ts';
import { untilSettled } from '../system/settled.ts';
import { countedRepetitions } from './count-findings.ts';
import type { PartOptions } from './part.ts';

const collectBasket = { ...pricedBasket, order_type: 'collect', collection_mode: 'now' } as const;

const moves = ['preparing', 'ready', 'collected'] as const;

export async function measureMoves(bench: BenchSystem, { seconds, log }: PartOptions): Promise<Finding[]> {
  const { system, rewarding } = bench;
  const { stores, customerIds } = rewarding;
  const customers = await signIn(system, customerIds);
  const token = await system.tokens.token({ typ: 'merchant', sub: randomUUID(), stores: stores.map(({ id }) => id), name: 'Bo' });
  using gateway = await openHttpConnection(system.gatewayUrl);
  const rounds: Updates[] = [];
  const { orders } = await payForOrders({ system, customers, stores, basket: collectBasket, concurrency: 16, seconds: seconds * 2 });
  let before = await updatesOfOrders(bench);
  for (let repetition = 1; repetition <= countedRepetitions; repetition += 1) {
    const moved = orders.filter((_, i) => i % countedRepetitions === repetition - 1);
    for (const order of moved) for (const status of moves) await move(gateway, token, order, status);
    const after = await updatesOfOrders(bench);
    const round = { all: after.all - before.all, hot: after.hot - before.hot, moves: moved.length * moves.length };
    before = after;
    rounds.push(round);
    log(
      `moves ${repetition}/${countedRepetitions}: ${round.hot} of ${round.all} rewritten rows of ${round.moves} moves needed no new index entry`,
    );
  }
  const row = rowsOf(rounds, 'a fulfilment move: ');
  return [
    row('rewritten rows of orders that needed no new index entry', '%', 'more', ({ all, hot }) => (hot / all) * 100, {
      at: 'least',
      value: 66,
    }),
    row('rewritten rows of orders', 'a move', 'less', (round) => round.all / round.moves),
  ];
}

interface Updates {
  readonly all: number;
  readonly hot: number;
  readonly moves: number;
}

async function updatesOfOrders(bench: BenchSystem): Promise<Omit<Updates, 'moves'>> {
  await untilSettled(bench);
  await pause(countsAreCompleteAfterMs);
  const { rows } = await bench.database.query<{ all: number; hot: number }>(
    `select n_tup_upd::float8 as all, n_tup_hot_upd::float8 as hot from pg_stat_user_tables where schemaname = 'orders' and relname = 'orders'`,
  );
  return rows[0] ?? { all: 0, hot: 0 };
}

async function move(gateway: HttpConnection, token: string, { id, store }: PaidOrder, status: string): Promise<void> {
  const { status: code, body } = await gateway.send({
    method: 'PATCH',
    path: `/api/v1/orders/${id}/fulfilment`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ store_id: store.id, to_status: status }),
  });
  if (code !== 200) throw new Error(`a move to ${status} received ${code}: ${body}`);
}
