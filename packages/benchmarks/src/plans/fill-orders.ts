import type pg from 'pg';

export const largestStore = '00000000-0000-4000-8000-000000000001';
export const typicalStore = '00000000-0000-4000-8000-000000000500';

/**
 * Writes `count` orders of two lines over five months: 12 % at the largest store and the rest over 999 others, mixed, three orders of the
 * largest a microsecond, the newest hundredth live, one in fifty never paid.
 */
export async function fillOrders(client: pg.Client, count: number): Promise<void> {
  const live = count - Math.floor(count / 100);
  // The rows are consistent by construction; checking foreign keys would take most of the time.
  await client.query('set session_replication_role = replica; set synchronous_commit = off');
  await client.query(`
    with row as (
      select uuidv7() as id, n, at, n > ${live} as live, n % 50 = 7 and n <= ${live} as unpaid,
        case when n % 25 < 3 then '${largestStore}' else ('00000000-0000-4000-8000-' || lpad((2 + n % 999)::text, 12, '0'))::uuid end as store_id
      from (select n, timestamptz '2026-01-01' + n / 25 * interval '325 seconds 17 microseconds' as at from generate_series(1, ${count}) n) numbered
    ), line as (
      insert into order_line (order_id, position, menu_item_id, name, quantity, unit_price_pence)
      select id, position, 'flat-white', 'Flat white', 1, 350 from row, generate_series(1, 2) position
    )
    insert into orders (id, store_id, customer_id, order_number, order_type, prep_minutes, payment_status, business_status, fulfilment_status,
      currency, subtotal_pence, total_pence, connected_account_id, payment_intent_id, created_at, paid_at, requested_collection_at)
    select id, store_id, md5('customer ' || n % 50000)::uuid, 'S1-' || n, 'collect', 5, case when unpaid then 'expired' else 'paid' end,
      case when unpaid then null when live then 'placed' else 'fulfilled' end,
      case when unpaid then null when live then 'accepted' else 'collected' end,
      'GBP', 700, 700, 'acct_bench', 'pi_' || n, at, case when not unpaid then at end, case when n % 4 = 0 then at + interval '1 hour' end
    from row`);
  await client.query('set session_replication_role = origin');
  await client.query('vacuum (analyze) orders, order_line');
}
