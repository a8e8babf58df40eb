import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkout } from '@corner/sandbox';
import pg from 'pg';
import type { Context } from '../../../../services/orders/src/context.ts';
import { getOrder } from '../../../../services/orders/src/operations/get-order.ts';
import { listOrders } from '../../../../services/orders/src/operations/list-orders.ts';
import type { BenchSystem } from './bench-system.ts';
import { type Finding, spread } from './figures.ts';
import { fillMillionOrders, largestStore, storeLikeMost } from './million-orders.ts';
import { blocksOf, explain, faultsOf } from './query-plan.ts';

interface ListsOptions {
  readonly repetitions: number;
  readonly say: (line: string) => void;
}

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

const pageSize = 100;
const name = 'corner_bench_lists';

/**
 * What list and get cost among a million orders: the plans of the very statements that the service sends, planned for their values and
 * planned once for any, and the 1,000th page against the first. Throws when a plan reads what it does not answer.
 */
export async function measureOrderLists({ system, database }: BenchSystem, { repetitions, say }: ListsOptions): Promise<Finding[]> {
  await database.query(`create database ${name}`);
  const url = new URL(system.databaseUrl);
  url.pathname = `/${name}`;
  try {
    await migrateOrders(url.href);
    const client = new pg.Client({ connectionString: url.href, options: '-c search_path=orders' });
    await client.connect();
    try {
      const began = performance.now();
      await fillMillionOrders(client);
      say(`1,000,000 orders after ${Math.round((performance.now() - began) / 1000)} s`);
      return await measure(client, repetitions, say);
    } finally {
      await client.end();
    }
  } finally {
    await database.query(`drop database if exists ${name} with (force)`);
  }
}

/** With a login of its own: the one of the running service keeps its password. */
async function migrateOrders(adminUrl: string): Promise<void> {
  const roleUrl = new URL(adminUrl);
  roleUrl.username = name;
  await promisify(execFile)(process.execPath, [`${checkout}/services/orders/src/migrate.ts`], {
    env: { ...process.env, MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl.href },
  });
}

async function measure(client: pg.Client, repetitions: number, say: ListsOptions['say']): Promise<Finding[]> {
  const first = list({ scope: 'history' });
  const far = list({ scope: 'history', ...(await lastRowOfPage(client, 999)) });
  const doors = {
    'list active': list({ scope: 'active' }),
    'list history, page 1': first,
    'list history, page 1,000': far,
    'list history of a store like most': list({ scope: 'history', store_id: storeLikeMost }),
    get: get(await someOrder(client)),
  };
  const faults: string[] = [];
  const findings: Finding[] = [];
  for (const [door, statement] of Object.entries(doors)) {
    const execute = await prepare(client, await statement);
    for (const mode of ['auto', 'force_custom_plan', 'force_generic_plan'] as const) {
      await client.query(`set plan_cache_mode = ${mode}`);
      // After five of its own the server may settle for one plan for any values.
      for (let i = 0; i < 10; i += 1) await client.query(execute);
      const plan = await explain(client, execute);
      faults.push(...faultsOf(plan, door === 'get' ? 1 : pageSize).map((fault) => `${door}, ${mode}: ${fault}`));
      say(
        `${door}, ${mode}: ${plan.forAnyValues ? 'planned for any values' : 'planned for its values'}, ${blocksOf(plan)} blocks, ${plan.ms.toFixed(2)} ms`,
      );
      if (mode === 'force_generic_plan') say(`${plan.text}\n`);
      if (mode === 'auto') findings.push({ what: `${door}, 1,000,000 orders`, unit: 'blocks', figure: spread([blocksOf(plan)], 'less') });
    }
  }
  if (faults.length > 0) throw new Error(`plans of orders read too much:\n${faults.join('\n')}`);
  return [...findings, ...(await compare(client, await first, await far, repetitions))];
}

/** In turns, each repetition being the median of fifty, and by the plan the server chooses. */
async function compare(client: pg.Client, first: Statement, far: Statement, repetitions: number): Promise<Finding[]> {
  await client.query('set plan_cache_mode = auto');
  const executes = [await prepare(client, first), await prepare(client, far)] as const;
  const ratios: number[] = [];
  const times: number[] = [];
  for (let i = 0; i < repetitions; i += 1) {
    const ms: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 50; turn += 1) {
      ms[0].push(await timed(client, executes[0]));
      ms[1].push(await timed(client, executes[1]));
    }
    const [near, distant] = ms.map((all) => spread(all, 'less').median) as [number, number];
    times.push(distant);
    ratios.push(distant / near);
  }
  return [
    { what: 'history page 1,000 of 100 rows, 1,000,000 orders', unit: 'ms', figure: spread(times, 'less') },
    { what: 'history page 1,000 / page 1', unit: '×', figure: spread(ratios, 'less'), goal: { at: 'most', value: 1.2 } },
  ];
}

async function timed(client: pg.Client, execute: string): Promise<number> {
  const began = performance.now();
  await client.query(execute);
  return performance.now() - began;
}

let prepared = 0;

/** Prepares a statement as the service does, and answers what executes it. */
async function prepare(client: pg.Client, { sql, values }: Statement): Promise<string> {
  prepared += 1;
  await client.query(`prepare bench_${prepared} as ${sql.replaceAll('$slonik_', '$')}`);
  return `execute bench_${prepared} (${values.map((value) => pg.escapeLiteral(String(value))).join(', ')})`;
}

/** The cursor that stands after so many pages of the largest store, as it was answered. */
async function lastRowOfPage(client: pg.Client, page: number) {
  const { sql, values } = await list({ scope: 'history' });
  const { rows } = await client.query<{ created_at: string; id: string }>(sql.replaceAll('$slonik_', '$'), [
    ...values.slice(0, -1),
    page * pageSize,
  ]);
  const row = rows[page * pageSize - 1];
  if (!row) throw new Error(`the largest store has no page ${page}`);
  return { before: row.created_at, before_id: row.id };
}

async function someOrder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`select id from orders where store_id = '${largestStore}' limit 1`);
  return rows[0]?.id ?? '';
}

type ListQuery = Parameters<typeof listOrders>[0]['query'];
const list = (query: Pick<ListQuery, 'scope'> & Partial<ListQuery>) =>
  sentBy((context) =>
    listOrders({ query: { store_id: largestStore, limit: pageSize, ...query } } as Parameters<typeof listOrders>[0], context),
  );
const get = (orderId: string) =>
  sentBy((context) => getOrder({ params: { orderId }, query: { store_id: largestStore } } as Parameters<typeof getOrder>[0], context));

/** The first statement that an operation sends. What it would do with the rows does not matter here. */
async function sentBy(operation: (context: Context) => Promise<unknown>): Promise<Statement> {
  const { promise: sent, resolve } = Promise.withResolvers<Statement>();
  const note = (statement: Statement) => {
    resolve(statement);
    return new Promise<never>(() => {});
  };
  const ended = operation({ database: { any: note, one: note, maybeOne: note } } as unknown as Context);
  return await Promise.race([sent, ended.then(() => Promise.reject(new Error('the operation sent no statement')))]);
}
