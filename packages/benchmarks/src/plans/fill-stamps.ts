import type pg from 'pg';

export const stampStore = '00000000-0000-4000-8000-000000000001';
export const typicalCustomer = 'c0000000-0000-4000-8000-000000000777';
export const busiestCustomer = 'c0000000-0000-4000-8000-000000020000';

const customerCount = 20_000;

/**
 * Writes `count` approved stamps of one store and a thousandth as many pending; ten make a voucher, mostly redeemed. Nearly all customers
 * have some fifty stamps, the busiest a hundred times as many.
 */
export async function fillStamps(client: pg.Client, count: number): Promise<void> {
  await client.query('set session_replication_role = replica; set synchronous_commit = off');
  await client.query(`
    insert into store (id, version, code, name, currency, time_zone, live, branding)
    values ('${stampStore}', 1, 'S1', 'Corner Coffee', 'GBP', 'Europe/London', true, '{}')`);
  await client.query(`
    insert into programme (store_id, version, enabled, goal, reward_title, reward, voucher_type, voucher_days, voucher_expiring_days, stamps_per_order,
      min_spend_pence, daily_stamp_limit, plan_key, settings)
    values ('${stampStore}', 1, true, 10, 'A coffee', '{}', 'reward', 90, 7, 1, 1, 20, 'pro', '{}')`);
  await client.query(`
    create temporary table earned as
    select n, uuidv7() as id, md5('order ' || n)::uuid as order_id, timestamptz '2026-01-01' + n * interval '13 seconds' as at,
      ('c0000000-0000-4000-8000-' || lpad((case when n % 200 = 0 then ${customerCount} else 1 + n % (${customerCount} - 1) end)::text, 12, '0'))::uuid as customer_id
    from generate_series(1, ${count}) n`);
  await client.query(`
    create temporary table placed as
    select *, row_number() over (partition by customer_id order by n) - 1 as place, count(*) over (partition by customer_id) as held from earned`);
  await client.query(`
    insert into card (store_id, customer_id, order_count, created_at, last_visit_at)
    select '${stampStore}', customer_id, count(*), min(at), max(at) from earned group by customer_id`);
  await client.query(`
    insert into voucher (id, store_id, customer_id, code, reward_title, voucher_type, reward, status, expires_at, minted_at)
    select md5('voucher ' || customer_id || place / 10)::uuid, '${stampStore}', customer_id, upper(substr(md5(customer_id::text || place), 1, 10)) || place,
      'A coffee', 'reward', '{}', case when place / 10 = held / 10 - 1 then 'active' else 'redeemed' end, at + interval '90 years', at
    from placed where place % 10 = 9`);
  await client.query(`
    insert into stamp (id, store_id, customer_id, status, source, order_id, ordinal, voucher_id, created_at, approved_at)
    select id, '${stampStore}', customer_id, 'approved', case when n % 20 = 0 then 'hub' else 'order' end, order_id, 1,
      case when place / 10 < held / 10 then md5('voucher ' || customer_id || place / 10)::uuid end, at, at
    from placed`);
  await client.query(`
    insert into stamp (id, store_id, customer_id, status, source, created_at)
    select uuidv7(), '${stampStore}', customer_id, 'pending', 'web', at from earned where n % 1000 = 0`);
  await client.query(`
    insert into order_ledger (order_id, store_id, customer_id, paid, paid_pence, awarded)
    select order_id, '${stampStore}', customer_id, true, 700, true from earned`);
  await client.query('set session_replication_role = origin');
  await client.query('vacuum (analyze) card, voucher, stamp, order_ledger, store, programme');
}
