import type pg from 'pg';
import { fillOrders, largestStore, typicalStore } from '../plans/fill-orders.ts';
import { blocksOf, explain, orderPlanFaults } from '../plans/query-plan.ts';
import { prepare, type Statement } from '../plans/sent-statement.ts';
import { getOrderStatement, type ListOrdersQuery, listOrdersStatement, livePageStatement } from '../plans/service-statements.ts';
import { type Finding, spread } from '../report/figures.ts';
import type { BenchSystem } from '../system/bench-system.ts';
import { onOwnDatabase } from '../system/own-database.ts';
import type { PartOptions } from './part.ts';

const pageSize = 100;

/**
 * The blocks of listing and reading orders among a million, with custom and generic plans, and the time of the 1,000th page relative to the
 * first's. Throws when a plan reads rows that it does not return.
 */
export async function measureOrderLists(bench: BenchSystem, { repetitions, log }: PartOptions): Promise<Finding[]> {
  return await onOwnDatabase(bench, 'orders', async (client) => {
    const startedAt = performance.now();
    await fillOrders(client, 1_000_000);
    log(`1,000,000 orders after ${Math.round((performance.now() - startedAt) / 1000)} s`);
    return await measure(client, repetitions, log);
  });
}

async function measure(client: pg.Client, repetitions: number, log: PartOptions['log']): Promise<Finding[]> {
  const first = list({ scope: 'history' });
  const page1000 = list({ scope: 'history', ...(await lastRowOfPage(client, 999)) });
  const operations = {
    'list active': list({ scope: 'active' }),
    'list active, page 2': livePageStatement(largestStore, pageSize, await lastLiveOfPage(client)),
    'list history, page 1': first,
    'list history, page 1,000': page1000,
    'list history of a typical store': list({ scope: 'history', store_id: typicalStore }),
    get: get(await someOrder(client)),
  };
  const faults: string[] = [];
  const findings: Finding[] = [];
  for (const [operation, statement] of Object.entries(operations)) {
    const execute = await prepare(client, await statement);
    for (const mode of ['auto', 'force_custom_plan', 'force_generic_plan'] as const) {
      await client.query(`set plan_cache_mode = ${mode}`);
      // After five custom plans the server may switch to a generic plan.
      for (let i = 0; i < 10; i += 1) await client.query(execute);
      const plan = await explain(client, execute);
      faults.push(...orderPlanFaults(plan, operation === 'get' ? 1 : pageSize).map((fault) => `${operation}, ${mode}: ${fault}`));
      log(`${operation}, ${mode}: ${plan.isGeneric ? 'generic plan' : 'custom plan'}, ${blocksOf(plan)} blocks, ${plan.ms.toFixed(2)} ms`);
      if (mode === 'force_generic_plan') log(`${plan.text}\n`);
      if (mode === 'auto')
        findings.push({ what: `${operation}, 1,000,000 orders`, unit: 'blocks', figure: spread([blocksOf(plan)], 'less') });
    }
  }
  if (faults.length > 0) throw new Error(`plans of orders read too much:\n${faults.join('\n')}`);
  return [...findings, ...(await compare(client, await first, await page1000, repetitions))];
}

async function compare(client: pg.Client, first: Statement, page1000: Statement, repetitions: number): Promise<Finding[]> {
  await client.query('set plan_cache_mode = auto');
  const executes = [await prepare(client, first), await prepare(client, page1000)] as const;
  const ratios: number[] = [];
  const times: number[] = [];
  for (let i = 0; i < repetitions; i += 1) {
    const ms: [number[], number[]] = [[], []];
    for (let round = 0; round < 50; round += 1) {
      ms[0].push(await timed(client, executes[0]));
      ms[1].push(await timed(client, executes[1]));
    }
    const [firstMs, page1000Ms] = ms.map((all) => spread(all, 'less').median) as [number, number];
    times.push(page1000Ms);
    ratios.push(page1000Ms / firstMs);
  }
  return [
    { what: 'history page 1,000 of 100 rows, 1,000,000 orders', unit: 'ms', figure: spread(times, 'less') },
    { what: 'history page 1,000 / page 1', unit: '×', figure: spread(ratios, 'less'), goal: { at: 'most', value: 1.2 } },
  ];
}

async function timed(client: pg.Client, execute: string): Promise<number> {
  const startedAt = performance.now();
  await client.query(execute);
  return performance.now() - startedAt;
}

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

async function lastLiveOfPage(client: pg.Client) {
  const { sql, values } = await list({ scope: 'active' });
  const { rows } = await client.query<{ created_at: string; requested_collection_at: string | null; id: string }>(
    sql.replaceAll('$slonik_', '$'),
    [...values],
  );
  const row = rows[pageSize - 1];
  if (!row) throw new Error('the largest store has fewer live orders than a page');
  return { at: row.requested_collection_at ?? row.created_at, id: row.id };
}

async function someOrder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`select id from orders where store_id = '${largestStore}' limit 1`);
  return rows[0]?.id ?? '';
}

const list = (query: Pick<ListOrdersQuery, 'scope'> & Partial<ListOrdersQuery>) =>
  listOrdersStatement({ store_id: largestStore, limit: pageSize, ...query });
const get = (orderId: string) => getOrderStatement(largestStore, orderId);
