import { testDatabaseForAll } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { type BenchStore, makeStores, menu } from '../system/bench-stores.ts';
import { copyOrdersTables, orderWrites } from './order-writes.ts';
import { statementsByClient } from './statements-by-client.ts';

test('the hand-written statements fit the tables that all migrations of orders make', async () => {
  await using database = await testDatabaseForAll();
  const stores = makeStores(1);
  const pool = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  for (const store of stores) await insertStore(pool, store);
  await copyOrdersTables(pool);
  await pool.end();
  for (const rows of ['all', 'few'] as const) {
    const script = orderWrites(stores, rows);
    expect(await statementsByClient({ databaseUrl: database.adminUrl, script, concurrency: 1, seconds: 0.1 })).toBeGreaterThan(0);
  }
});

async function insertStore(pool: pg.Pool, { id, code }: BenchStore): Promise<void> {
  await pool.query(
    `insert into orders.store (id, version, code, name, currency, time_zone, fee_bps, on_behalf_of, platform_covers_refunds, auto_accept,
       refund_window_days, hours, live)
     values ($1, 1, $2, 'Bench', 'GBP', 'Europe/London', 250, false, false, true, 30, '[]', true)`,
    [id, code],
  );
  await pool.query(
    `insert into orders.menu_item (store_id, id, name, price_pence, prep_minutes, available, stock) values ($1, $2, $2, 0, 5, true, 1000)`,
    [id, menu.counted],
  );
}
