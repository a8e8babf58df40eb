import type pg from 'pg';
import type { Context } from '../../../services/orders/src/context.ts';
import { getOrder } from '../../../services/orders/src/operations/get-order.ts';
import { listOrders } from '../../../services/orders/src/operations/list-orders.ts';
import type { BenchSystem } from './bench-system.ts';
import { type Finding, spread } from './figures.ts';
import { fillMillionOrders, largestStore, storeLikeMost } from './million-orders.ts';
import { onOwnDatabase } from './own-database.ts';
import { blocksOf, explain, faultsOf } from './query-plan.ts';
import { prepare, type Statement, sentBy } from './sent-statement.ts';

interface ListsOptions {
  readonly repetitions: number;
  readonly say: (line: string) => void;
}

const pageSize = 100;

/**
 * What list and get cost among a million orders: the plans of the very statements that the service sends, planned for their values and
 * planned once for any, and the 1,000th page against the first. Throws when a plan reads what it does not answer.
 */
export async function measureOrderLists(bench: BenchSystem, { repetitions, say }: ListsOptions): Promise<Finding[]> {
  return await onOwnDatabase(bench, 'orders', async (client) => {
    const began = performance.now();
    await fillMillionOrders(client);
    say(`1,000,000 orders after ${Math.round((performance.now() - began) / 1000)} s`);
    return await measure(client, repetitions, say);
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
  sentBy((context: Context) =>
    listOrders({ query: { store_id: largestStore, limit: pageSize, ...query } } as Parameters<typeof listOrders>[0], context),
  );
const get = (orderId: string) =>
  sentBy((context: Context) =>
    getOrder({ params: { orderId }, query: { store_id: largestStore } } as Parameters<typeof getOrder>[0], context),
  );
