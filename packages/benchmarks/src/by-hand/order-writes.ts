import { readdir, readFile } from 'node:fs/promises';
import { checkout } from '@corner/sandbox';
import type pg from 'pg';
import { type BenchStore, menu } from '../system/bench-stores.ts';

/** The schema that holds a copy of the orders service's tables, constraints and indexes included. */
export const copySchema = 'bench_copy';

/** Makes the copy by running every migration of the chassis and of orders, in order, and copies the stores and menus. */
export async function copyOrdersTables(database: pg.Pool): Promise<void> {
  const client = await database.connect();
  try {
    await client.query(`create schema ${copySchema}`);
    await client.query(`set search_path to ${copySchema}`);
    for (const folder of ['packages/chassis/migrations', 'services/orders/migrations']) {
      for (const migration of await migrationsIn(`${checkout}/${folder}`)) await client.query(migration);
    }
    for (const table of ['store', 'menu_item']) await client.query(`insert into ${table} select * from orders.${table}`);
    await client.query('analyze');
  } finally {
    client.release(true);
  }
}

/** The SQL of each migration in a folder, in order. */
async function migrationsIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')));
}

/**
 * A pgbench script that writes the rows of an accepted free order, each once and in its final state. `all` writes every row; `few`
 * leaves out the order number, the hold, the ledger and the log.
 */
export function orderWrites(stores: readonly BenchStore[], rows: 'all' | 'few'): string {
  const store = `(array[${stores.map(({ id }) => `'${id}'`).join(',')}]::uuid[])[:s]`;
  const all = (statement: string) => (rows === 'all' ? [statement] : []);
  return [
    `\\set s random(1, ${stores.length})`,
    '\\set c random(1, 256)',
    'begin;',
    `update menu_item set taken = taken + 1 where store_id = ${store} and id = '${menu.counted}' and taken + 1 <= stock;`,
    ...all(`update store set last_order_number = last_order_number + 1 where id = ${store};`),
    `insert into orders (id, store_id, customer_id, version, order_number, order_type, prep_minutes, idempotency_key, request_fingerprint,
       payment_status, business_status, fulfilment_status, currency, subtotal_pence, total_pence, connected_account_id, is_first, pay_until,
       paid_at, accepted_at)
     values (uuidv7(), ${store}, md5('customer ' || :c)::uuid, 2, 'BENCH-1001', 'buy_now', 5, gen_random_uuid(), sha256('a basket'),
       'paid', 'placed', 'accepted', 'GBP', 0, 0, 'acct_bench', false, now() + interval '15 minutes', now(), now())
     returning id as made \\gset`,
    `insert into order_line (order_id, position, menu_item_id, name, quantity, unit_price_pence)
     values (:made, 1, '${menu.counted}', 'Glass of water', 1, 0);`,
    `insert into order_line (order_id, position, menu_item_id, name, quantity, unit_price_pence)
     values (:made, 2, '${menu.uncounted}', 'Napkin', 1, 0);`,
    ...all(`insert into hold (order_id, kind, ref, quantity, state) values (:made, 'stock', '${menu.counted}', 1, 'committed');`),
    ...all(`insert into log_entry (store_id, order_id, at, kind, title, amount_pence)
     values (${store}, :made, now(), 'placed', 'The customer placed the order', 0);`),
    ...all(`insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
     values (${store}, :made, 'charge', gen_random_uuid()::text, 0, now());`),
    ...all(`insert into log_entry (store_id, order_id, at, kind, title, amount_pence)
     values (${store}, :made, now(), 'paid', 'Payment was received', 0);`),
    `insert into outbox (type, version, aggregate_id, aggregate_sequence, store_id, customer_id, data, correlation_id, traceparent)
     values ('order.paid', 1, :made, 2, ${store}, md5('customer ' || :c)::uuid, jsonb_build_object('order_id', :made::text, 'store_id',
       ${store}, 'order_number', 'BENCH-1001', 'customer_id', md5('customer ' || :c), 'paid_at', now(), 'total_pence', 0, 'tip_pence', 0,
       'net_of_tip_pence', 0, 'currency', 'GBP', 'voucher_id', null, 'promo_code', null, 'is_first', false, 'leg_ids', '[]'::jsonb),
       gen_random_uuid()::text, '00-' || md5(:made) || '-0123456789abcdef-00');`,
    'commit;',
    '',
  ]
    .map((line) => (line.startsWith('\\') ? line : line.replace(/\s*\n\s*/g, ' ')))
    .join('\n');
}
