import { randomUUID } from 'node:crypto';
import { requiredServices } from '@corner/contracts';
import { keepHistory, multiplyHistory } from '@corner/sandbox/system';
import pg from 'pg';
import { signIn } from '../load/customers.ts';
import { openHttpConnection } from '../load/http-connection.ts';
import { type PaidOrder, payForOrders } from '../load/paid-orders.ts';
import { type Finding, spread } from '../report/figures.ts';
import { pricedBasket } from '../system/bench-stores.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { untilSettled } from '../system/settled.ts';
import type { PartOptions } from './part.ts';

const sizes = [10_000, 200_000] as const;
/** Numbers of orders in the planner's statistics. An order has some thirty rows, so really filling the tables would take hours. */
const believed = [1_000_000, 10_000_000] as const;

/**
 * The blocks that each statement touches among ten thousand and 200,000 orders, and with the plans for a million and ten million. Runs
 * last, because it fills the tables.
 */
export async function measureGrowth(bench: BenchSystem, { log, explain }: PartOptions): Promise<Finding[]> {
  const admin = new pg.Client({ connectionString: bench.system.databaseUrl, options: '-c statement_timeout=0 -c synchronous_commit=off' });
  await admin.connect();
  try {
    await keepHistory(admin);
    const runs: { readonly size: string; readonly blocks: readonly StatementBlocks[] }[] = [];
    let filled = 0;
    for (const size of sizes) {
      filled = await fillTo(admin, size);
      log(`growth: ${written(filled)} orders`);
      runs.push({ size: written(filled), blocks: await blocksOfWork(bench) });
    }
    let planned = filled;
    for (const orders of believed) {
      await believe(admin, orders / planned);
      planned = orders;
      runs.push({ size: `${written(filled)}, planned for ${written(orders)}`, blocks: await blocksOfWork(bench) });
    }
    const [small, ...larger] = runs;
    if (!small) throw new Error('no sizes');
    explain({
      title: 'Blocks a call of the statements that grow most with the number of orders',
      columns: ['statement', small.size, ...larger.map(({ size }) => size)],
      rows: grown(
        small.blocks,
        larger.map(({ blocks }) => blocks),
      ),
    });
    return larger.map(({ size, blocks }) => ({
      what: `blocks of all statements, ${size} orders / ${small.size}`,
      unit: '×',
      figure: spread([ratioOf(small.blocks, blocks)], 'less'),
      goal: { at: 'most', value: 1.1 },
    }));
  } finally {
    await admin.end();
  }
}

const written = (orders: number): string => orders.toLocaleString('en-GB');

function ratioOf(small: readonly StatementBlocks[], large: readonly StatementBlocks[]): number {
  let [before, after] = [0, 0];
  for (const { statement, calls, perCall } of small) {
    const other = large.find((one) => one.statement === statement);
    if (!other) continue;
    before += calls * perCall;
    after += calls * other.perCall;
  }
  return after / before;
}

function grown(small: readonly StatementBlocks[], larger: readonly (readonly StatementBlocks[])[]): string[][] {
  const at = (blocks: readonly StatementBlocks[] | undefined, statement: string) =>
    blocks?.find((one) => one.statement === statement)?.perCall ?? 0;
  return small
    .map(({ statement, perCall }) => ({ statement, perCall, more: at(larger[0], statement) - perCall }))
    .toSorted((a, b) => b.more - a.more)
    .slice(0, 12)
    .map(({ statement, perCall }) => [statement, ...[perCall, ...larger.map((blocks) => at(blocks, statement))].map((n) => n.toFixed(1))]);
}

async function fillTo(admin: pg.Client, orders: number): Promise<number> {
  const count = async (table: string) => (await admin.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0;
  const [now, kept] = [await count('orders.orders'), await count('history."orders orders"')];
  const times = Math.ceil((orders - now) / kept);
  if (times > 0) await multiplyHistory(admin, times);
  await admin.query('vacuum (analyze)');
  return await count('orders.orders');
}

async function believe(admin: pg.Client, times: number): Promise<void> {
  await admin.query(
    `select pg_restore_relation_stats('schemaname', n.nspname::text, 'relname', c.relname::text, 'relpages', c.relpages,
       'reltuples', (c.reltuples * $2)::real)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'r' and c.reltuples > 1000`,
    [requiredServices, times],
  );
}

async function blocksOfWork(bench: BenchSystem): Promise<readonly StatementBlocks[]> {
  const { system, database, rewarding } = bench;
  await database.query('select pg_stat_statements_reset()');
  for (const service of requiredServices) {
    await database.query(`update ${service}.job set next_at = clock_timestamp()`);
    await system.services[service].restart();
  }
  const customers = await signIn(system, rewarding.customerIds);
  const { orders } = await payForOrders({ system, customers, stores: rewarding.stores, basket: pricedBasket, concurrency: 4, seconds: 5 });
  await untilSettled(bench);
  await useOrders(bench, orders.slice(0, 20));
  await untilSettled(bench);
  return await blocksOfStatements(database);
}

async function useOrders({ system, rewarding }: BenchSystem, orders: readonly PaidOrder[]): Promise<void> {
  const all = rewarding.stores.map(({ id }) => id);
  const token = await system.tokens.token({ typ: 'merchant', sub: randomUUID(), stores: all, name: 'Bo' });
  using gateway = await openHttpConnection(system.gatewayUrl);
  for (const { id, store, customerId } of orders) {
    const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const { status, body: text } = await gateway.send({
        method,
        path: `/api/v1${path}`,
        headers,
        ...(body ? { body: JSON.stringify({ store_id: store.id, ...body }) } : {}),
      });
      if (status !== 200) throw new Error(`${method} ${path} received ${status}: ${text}`);
    };
    await call('GET', `/orders?store_id=${store.id}&scope=active&limit=100`);
    await call('GET', `/orders?store_id=${store.id}&scope=history&limit=100`);
    await call('GET', `/orders/${id}?store_id=${store.id}`);
    await call('GET', `/loyalty/customer-state?store_id=${store.id}&customer_id=${customerId}`);
    await call('PATCH', `/orders/${id}/status`, { status: 'fulfilled' });
    await call('POST', `/orders/${id}/refund`, { reason: 'It was cold.', refund_attempt_id: randomUUID() });
  }
}

interface StatementBlocks {
  readonly statement: string;
  readonly calls: number;
  readonly perCall: number;
}

async function blocksOfStatements(database: Pick<pg.Pool, 'query'>): Promise<readonly StatementBlocks[]> {
  const { rows } = await database.query<StatementBlocks>(
    `select substr(r.rolname, 8) || ' ' || left(regexp_replace(s.query, '\\s+', ' ', 'g'), 80) || ' #' || s.queryid as statement, sum(s.calls)::float8 as calls,
       (sum(s.shared_blks_hit + s.shared_blks_read) / sum(s.calls))::float8 as "perCall"
     from pg_stat_statements s join pg_roles r on r.oid = s.userid
     where r.rolname = any($1) group by 1`,
    [requiredServices.map((service) => `corner_${service}`)],
  );
  return rows;
}
