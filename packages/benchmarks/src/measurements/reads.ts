import { randomUUID } from 'node:crypto';
import { hasPgbench, pgbench } from '../by-hand/pgbench.ts';
import { type ReadScript, type ReadSubject, readScripts } from '../by-hand/read-scripts.ts';
import { orderRequest, signIn } from '../load/customers.ts';
import { openHttpConnection } from '../load/http-connection.ts';
import { openConnections, runLoad } from '../load/run-load.ts';
import { type Finding, rowsOf } from '../report/figures.ts';
import { freeBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { type Idle, measure, measureIdle } from '../system/measure.ts';
import { platformTime } from '../system/processor-time.ts';
import { untilSettled } from '../system/settled.ts';
import type { PartOptions } from './part.ts';

const concurrency = 16;

interface Read extends ReadScript {
  readonly name: string;
  readonly path: string;
  readonly token: string;
}

interface Round {
  readonly ours: number;
  readonly byHand: number;
  readonly perSecond: number;
}

export async function measureReads(bench: BenchSystem, { repetitions, seconds, log }: PartOptions): Promise<Finding[]> {
  if (!(await hasPgbench())) {
    log('reads are not measured: pgbench is not installed');
    return [];
  }
  const reads = await prepareReads(bench);
  const idle = await measureIdle(bench);
  const rounds = reads.map((): Round[] => []);
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    for (const [index, read] of reads.entries()) {
      const round = { ...(await readThrough(bench, idle, read, seconds)), byHand: await readByHand(bench, idle, read, seconds) };
      if (repetition > 0) rounds[index]?.push(round);
      log(`${read.name} ${repetition}/${repetitions}: ${microseconds(round.ours)} µs, by hand ${microseconds(round.byHand)} µs`);
    }
  }
  return reads.flatMap(({ name }, index) => {
    const row = rowsOf(rounds[index] ?? [], `${name}, ${concurrency} at once: `);
    return [
      row('processor, pgbench / ours', 'ratio', 'more', ({ ours, byHand }) => byHand / ours, {
        at: 'least',
        value: name === 'customer-state' ? 0.3 : 0.2,
      }),
      row('processor', 'µs a read', 'less', ({ ours }) => ours * 1e6),
      row('done', 'reads/s', 'more', ({ perSecond }) => perSecond),
    ];
  });
}

const microseconds = (seconds: number): string => (seconds * 1e6).toFixed(0);

async function prepareReads(bench: BenchSystem): Promise<Read[]> {
  const { tokens } = bench.system;
  const subject = await someSubject(bench);
  const { storeId, orderId, customerId } = subject;
  const merchant = await tokens.token({ typ: 'merchant', sub: randomUUID(), stores: [storeId], ttlSeconds: 3600 });
  const customer = await tokens.token({ typ: 'customer', sub: customerId, ttlSeconds: 3600 });
  const callers: Readonly<Record<string, Pick<Read, 'path' | 'token'>>> = {
    'get order': { path: `/api/v1/orders/${orderId}?store_id=${storeId}`, token: merchant },
    'customer-state': { path: `/api/v1/loyalty/customer-state?store_id=${storeId}&customer_id=${customerId}`, token: merchant },
    'queue status': { path: `/api/v1/queue/status?store_id=${storeId}`, token: customer },
    preferences: { path: '/api/v1/notifications/preferences', token: customer },
  };
  const scripts = await readScripts(subject);
  return Object.entries(callers).map(([name, caller]) => ({ name, ...caller, ...(scripts[name] as ReadScript) }));
}

async function someSubject(bench: BenchSystem): Promise<ReadSubject> {
  const { stores, customerIds } = bench.rewarding;
  const [store, customerId] = [stores[0], customerIds[0]];
  if (!store || !customerId) throw new Error('the directory is empty');
  const customers = await signIn(bench.system, [customerId]);
  using gateway = await openHttpConnection(bench.system.gatewayUrl);
  const { status, body } = await gateway.send(orderRequest(customers.headers(0), store, freeBasket));
  if (status !== 200) throw new Error(`an order received ${status}: ${body}`);
  await untilSettled(bench);
  const { order_id: orderId } = JSON.parse(body) as { order_id: string };
  return { storeId: store.id, orderId, customerId };
}

async function readThrough(bench: BenchSystem, idle: Idle, { path, token }: Read, seconds: number) {
  using connections = await openConnections(bench.system.gatewayUrl, concurrency);
  const headers = { authorization: `Bearer ${token}` };
  const { result, processor, ...took } = await measure(bench, () =>
    runLoad({ concurrency, seconds }, async (worker) => {
      const { status, body } = await connections.of(worker).send({ method: 'GET', path, headers });
      if (status !== 200) throw new Error(`${path} received ${status}: ${body}`);
    }),
  );
  const used = platformTime(processor) - platformTime(idle.processor) * took.seconds;
  return { ours: used / result.count, perSecond: result.perSecond };
}

async function readByHand(bench: BenchSystem, idle: Idle, { schema, script }: Read, seconds: number): Promise<number> {
  const url = new URL(bench.system.databaseUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const use = async (until: Parameters<typeof pgbench>[0]['until']) => {
    const { result, processor, ...took } = await measure(bench, () => pgbench({ databaseUrl: url.href, script, concurrency, until }));
    const ofPostgres = (processor.postgres ?? 0) - (idle.processor.postgres ?? 0) * took.seconds;
    return { count: result.count, used: ofPostgres + (processor['load generator'] ?? 0) };
  };
  const first = await use({ transactions: 10 });
  const all = await use({ seconds });
  return (all.used - first.used) / (all.count - first.count);
}
