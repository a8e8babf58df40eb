import { type TestDatabaseForAll, testDatabaseForAll } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { fillOrders, largestStore } from './fill-orders.ts';
import { fillStamps, stampStore, typicalCustomer } from './fill-stamps.ts';
import { blocksOf, explain, orderPlanFaults } from './query-plan.ts';
import { prepare, type Statement } from './sent-statement.ts';
import { getOrderStatement, listOrdersStatement, livePageStatement, stampStatements } from './service-statements.ts';

let database: TestDatabaseForAll;

beforeAll(async () => {
  database = await testDatabaseForAll();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

async function explainAll(service: 'orders' | 'loyalty', fill: (client: pg.Client) => Promise<void>, statements: Statement[]) {
  const client = new pg.Client({ connectionString: database.adminUrl, options: `-c search_path=${service}` });
  await client.connect();
  try {
    await fill(client);
    const blocks: number[] = [];
    for (const statement of statements) blocks.push(blocksOf(await explain(client, await prepare(client, statement))));
    return blocks;
  } finally {
    await client.end();
  }
}

test('the statements that list and read orders run on the generated orders', async () => {
  const query = { store_id: largestStore, limit: 100 };
  const statements = await Promise.all([
    listOrdersStatement({ ...query, scope: 'active' }),
    listOrdersStatement({ ...query, scope: 'history' }),
    getOrderStatement(largestStore, largestStore),
  ]);
  const blocks = await explainAll('orders', (client) => fillOrders(client, 1_000), statements);
  expect(Math.min(...blocks)).toBeGreaterThan(0);
});

test('a further page of the live queue reads only the orders it returns', async () => {
  const client = new pg.Client({ connectionString: database.adminUrl, options: '-c search_path=orders -c enable_seqscan=off' });
  await client.connect();
  try {
    await client.query('truncate orders, order_line cascade');
    await fillOrders(client, 20_000);
    const { rows } = await client.query<{ at: string; id: string }>(`
      select coalesce(first_collection_at, requested_collection_at, created_at)::text as at, id from orders
      where store_id = '${largestStore}' and business_status = 'placed' order by 1, 2 offset 9 limit 1`);
    const bound = rows[0] as { at: string; id: string };
    const plan = await explain(client, await prepare(client, await livePageStatement(largestStore, 5, bound)));
    expect(orderPlanFaults(plan, 5)).toEqual([]);
    expect(plan.text).toContain('orders_live');
    expect(plan.text.split('SubPlan')[0]).not.toContain('Sort');
  } finally {
    await client.end();
  }
});

test('the statements that read a card and a store’s stamps run on the generated stamps', async () => {
  const statements = Object.values(await stampStatements(stampStore, typicalCustomer));
  const blocks = await explainAll('loyalty', (client) => fillStamps(client, 20_000), statements);
  expect(Math.min(...blocks)).toBeGreaterThan(0);
});
