import { testDatabaseForAll } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { type BenchStore, makeDirectory, menu } from '../system/bench-stores.ts';
import { makeHandDatabase } from './hand-database.ts';
import { orderWrites } from './order-writes.ts';
import { statementsByClient } from './statements-by-client.ts';

const { stores } = makeDirectory(1, 1).plain;

async function shapeOf(url: string, schema: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(
      `select replace(line, $1 || '.', '') as line from (
         select tablename || ' ' || indexdef as line from pg_indexes where schemaname = $1
         union all
         select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
         where connamespace = $1::regnamespace and contype <> 'n'
         union all
         select table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable from information_schema.columns where table_schema = $1
       ) shapes order by 1`,
      [schema],
    );
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}

test('the hand-written side has every index and constraint of the service, and its statements write the rows of an order', async () => {
  await using database = await testDatabaseForAll();
  const pool = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  try {
    for (const store of stores) await insertStore(pool, store);
    await using copy = await makeHandDatabase(database.adminUrl, pool, `by_hand_${process.pid}`);
    const shape = await shapeOf(copy.url, 'orders');
    expect(shape.length).toBeGreaterThan(100);
    expect(shape).toEqual(await shapeOf(database.adminUrl, 'orders'));

    for (const kind of ['free', 'paid'] as const) {
      const options = { databaseUrl: copy.url, script: orderWrites(stores, kind), concurrency: 1, until: { transactions: 3 } };
      const { count } = await statementsByClient(options);
      expect(count).toBe(3);
      const client = new pg.Client({ connectionString: copy.url });
      await client.connect();
      const { rows } = await client.query(
        'select count(distinct o.id)::int as orders, count(*)::int as lines from orders o join order_line l on l.order_id = o.id where (o.total_pence > 0) = $1',
        [kind === 'paid'],
      );
      await client.end();
      expect(rows).toEqual([{ orders: count, lines: count * 2 }]);
    }
  } finally {
    await pool.end();
  }
});

async function insertStore(pool: pg.Pool, { id, code }: BenchStore): Promise<void> {
  await pool.query(
    `insert into orders.store (id, version, code, name, currency, time_zone, fee_bps, on_behalf_of, platform_covers_refunds, disputes_borne_by,
       auto_accept, refund_window_days, hours, closures, live)
     values ($1, 1, $2, 'Bench', 'GBP', 'Europe/London', 250, false, false, 'store', true, 30, '[]', '[]', true)`,
    [id, code],
  );
  await pool.query(
    `insert into orders.menu_item (store_id, id, name, price_pence, prep_minutes, available, stock) values ($1, $2, $2, 0, 5, true, 1000)`,
    [id, menu.counted],
  );
}
