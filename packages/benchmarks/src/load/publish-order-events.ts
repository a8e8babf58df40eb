import type pg from 'pg';
import type { BenchStore } from '../system/bench-stores.ts';

type PublishedType = 'order.paid' | 'order.status_changed';

/**
 * Publishes one event for each of `count` invented orders in one transaction and signals the relay, as the orders service does. NOTIFY
 * follows the commit: inside a transaction it serializes all commits. Returns the ids of the orders.
 */
export async function publishOrderEvents(
  database: pg.Pool,
  stores: readonly BenchStore[],
  type: PublishedType,
  count: number,
): Promise<string[]> {
  const client = await database.connect();
  try {
    await client.query('begin');
    await client.query('set local role corner_orders');
    const values = [type, count, stores.map(({ id }) => id)];
    const { rows } = await client.query<{ event_id: string }>({ name: 'publish-order-events', text: publish, values });
    await client.query('commit');
    await client.query('notify corner_outbox_orders');
    return rows.map(({ event_id }) => event_id);
  } finally {
    client.release();
  }
}

const publish = `
  insert into orders.outbox (type, version, aggregate_id, aggregate_sequence, store_id, customer_id, data, correlation_id)
  select $1, 1, o.id, 1, o.store_id, o.customer_id, jsonb_build_object(
      'order_id', o.id, 'order_number', 'BENCH-' || o.n, 'store_id', o.store_id, 'customer_id', o.customer_id,
      'paid_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'total_pence', 500, 'tip_pence', 0,
      'net_of_tip_pence', 500, 'currency', 'GBP', 'voucher_id', null, 'promo_code', null, 'is_first', false, 'leg_ids', '[]'::jsonb)
      || jsonb_build_object('from', 'placed', 'to', 'ready', 'at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    o.id::text
  from (
    select n, gen_random_uuid() as id, ($3::uuid[])[1 + floor(random() * cardinality($3::uuid[]))] as store_id, gen_random_uuid() as customer_id
    from generate_series(1, $2::int) n
  ) o
  returning event_id`;

export async function travelTimes(database: pg.Pool, eventIds: readonly string[]): Promise<number[]> {
  const { rows } = await database.query<{ ms: number }>(
    `select (extract(epoch from pg_xact_commit_timestamp(i.xmin) - pg_xact_commit_timestamp(o.xmin)) * 1000)::float8 as ms
     from orders.outbox o join loyalty.inbox i using (event_id) where o.event_id = any($1::uuid[])`,
    [eventIds],
  );
  if (rows.length !== eventIds.length) throw new Error(`${eventIds.length - rows.length} of ${eventIds.length} events had no effect`);
  return rows.map(({ ms }) => ms);
}
