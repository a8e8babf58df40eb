import { randomUUID } from 'node:crypto';
import { orderRequest, signIn } from '../load/customers.ts';
import { openHttpConnection } from '../load/http-connection.ts';
import { openConnections, runLoad } from '../load/run-load.ts';
import { type Finding, quantile, rowsOf, short } from '../report/figures.ts';
import { freeBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { type Idle, measure, measureIdle } from '../system/measure.ts';
import { type ProcessorTime, platformTime } from '../system/processor-time.ts';
import { untilSettled } from '../system/settled.ts';
import type { PartOptions } from './part.ts';

const concurrency = 16;

interface Polled {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Cost {
  readonly platform: number;
  readonly of: ProcessorTime;
}

interface Round {
  readonly full: Cost;
  readonly unchanged: Cost;
}

export async function measurePolling(bench: BenchSystem, { repetitions, seconds, log, explain }: PartOptions): Promise<Finding[]> {
  const polled = await preparePolled(bench);
  const idle = await measureIdle(bench);
  const rounds = polled.map((): Round[] => []);
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    for (const [index, read] of polled.entries()) {
      const round = { full: await send(bench, idle, read, { seconds, etag: null }), unchanged: await poll(bench, idle, read, seconds) };
      if (repetition > 0) rounds[index]?.push(round);
      log(`${read.name} ${repetition}/${repetitions}: ${micros(round.full.platform)} µs, unchanged ${micros(round.unchanged.platform)} µs`);
    }
  }
  explain({
    title: `Processor time of a read in full and of one that gets 304, ${concurrency} at once, µs a request`,
    columns: ['', 'full', 'gateway', 'service', 'Postgres', '304', 'gateway', 'service', 'Postgres'],
    rows: polled.map(({ name }, index) => {
      const cells = (side: keyof Round) => partsOf((rounds[index] ?? []).map((round) => round[side]));
      return [name, ...cells('full'), ...cells('unchanged')];
    }),
  });
  return polled.map(({ name }, index) =>
    rowsOf(rounds[index] ?? [], `${name}, ${concurrency} at once: `)(
      'processor, 304 / full',
      'ratio',
      'less',
      ({ full, unchanged }) => unchanged.platform / full.platform,
      { at: 'most', value: 0.5 },
    ),
  );
}

const micros = (seconds: number): string => (seconds * 1e6).toFixed(0);

function partsOf(costs: readonly Cost[]): string[] {
  const median = (figure: (cost: Cost) => number) => short(quantile(costs.map(figure), 0.5) * 1e6);
  const services = ({ of, platform }: Cost) => platform - (of.gateway ?? 0) - (of.postgres ?? 0);
  return [median(({ platform }) => platform), median(({ of }) => of.gateway ?? 0), median(services), median(({ of }) => of.postgres ?? 0)];
}

async function poll(bench: BenchSystem, idle: Idle, read: Polled, seconds: number): Promise<Cost> {
  using gateway = await openHttpConnection(bench.system.gatewayUrl);
  const { etag } = await gateway.send({ method: 'GET', ...read });
  if (etag === null) throw new Error(`${read.path} has no ETag`);
  return await send(bench, idle, read, { seconds, etag });
}

/**
 * A null ETag reads in full. With an ETag a response may still be new, as when a wait has become shorter: the next request then has its
 * ETag.
 */
async function send(bench: BenchSystem, idle: Idle, read: Polled, { seconds, etag }: Sent): Promise<Cost> {
  using connections = await openConnections(bench.system.gatewayUrl, concurrency);
  const known = Array.from({ length: concurrency }, () => etag);
  const { result, processor, ...took } = await measure(bench, () =>
    runLoad({ concurrency, seconds }, async (worker) => {
      const tag = known[worker] ?? null;
      const headers = tag === null ? read.headers : { ...read.headers, 'if-none-match': tag };
      const response = await connections.of(worker).send({ method: 'GET', path: read.path, headers });
      if (response.status !== 200 && response.status !== 304) throw new Error(`${read.path} received ${response.status}: ${response.body}`);
      if (tag !== null) known[worker] = response.etag;
    }),
  );
  const each = (used: number, idly: number) => (used - idly * took.seconds) / result.count;
  const of = Object.fromEntries(Object.entries(processor).map(([name, used]) => [name, each(used, idle.processor[name] ?? 0)]));
  return { platform: platformTime(of), of };
}

interface Sent {
  readonly seconds: number;
  readonly etag: string | null;
}

async function preparePolled(bench: BenchSystem): Promise<Polled[]> {
  const { stores, customerIds } = bench.rewarding;
  const [store, customerId] = [stores[0], customerIds[0]];
  if (!store || !customerId) throw new Error('the directory is empty');
  const customer = (await signIn(bench.system, [customerId])).headers(0);
  const merchant = await bench.system.tokens.token({ typ: 'merchant', sub: randomUUID(), stores: [store.id], ttlSeconds: 4 * 3600 });
  using gateway = await openHttpConnection(bench.system.gatewayUrl);
  const created = async (request: ReturnType<typeof orderRequest>) => {
    const { status, body } = await gateway.send(request);
    if (status !== 200) throw new Error(`${request.path} received ${status}: ${body}`);
    return JSON.parse(body) as { readonly order_id: string; readonly entry_id: string };
  };
  const { order_id: orderId } = await created(orderRequest(customer, store, freeBasket));
  const join = { method: 'POST', path: '/api/v1/queue/join', headers: { ...customer, 'idempotency-key': randomUUID() } } as const;
  const { entry_id: entryId } = await created({ ...join, body: JSON.stringify({ store_id: store.id }) });
  await untilSettled(bench);
  const shop = `/api/v1/orders/stores/${store.id}`;
  return [
    { name: 'listStores', path: '/api/v1/orders/stores?limit=20', headers: {} },
    { name: 'readMenu', path: `${shop}/menu`, headers: {} },
    { name: 'listOpenSlots', path: `${shop}/slots`, headers: {} },
    { name: 'listMyOrders', path: '/api/v1/orders/mine', headers: customer },
    { name: 'getMyOrder', path: `/api/v1/orders/${orderId}/mine`, headers: customer },
    { name: 'readSwitches', path: `${shop}/switches`, headers: { authorization: `Bearer ${merchant}` } },
    { name: 'queueStatus', path: `/api/v1/queue/status?entry_id=${entryId}`, headers: customer },
    { name: 'readStoreQueue', path: `/api/v1/queue/stores/${store.id}`, headers: {} },
    { name: 'listMyCards', path: '/api/v1/loyalty/mine', headers: customer },
    { name: 'readCardHistory', path: `/api/v1/loyalty/mine/${store.id}/history`, headers: customer },
  ];
}
