import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

export async function untilRelayed(database: pg.Pool, withinMs = 120_000): Promise<void> {
  for (const until = performance.now() + withinMs; ; await pause(20)) {
    const { rows } = await database.query<{ waiting: boolean }>(`
      select exists (select 1 from orders.relay_batch where acked_at is null)
        or exists (select 1 from orders.outbox o, orders.relay_state s where o.transaction_id >= pg_snapshot_xmin(s.snapshot)
          and not pg_visible_in_snapshot(o.transaction_id, s.snapshot)) as waiting`);
    if (!rows[0]?.waiting) return;
    if (performance.now() > until) throw new Error(`the relay has not caught up after ${withinMs} ms`);
  }
}

/** Seconds from the commit of these events, all of one transaction, until the broker had acknowledged the last of them. */
export async function relayedIn(database: pg.Pool, eventIds: readonly string[]): Promise<number> {
  const { rows } = await database.query<{ seconds: number | null }>(
    `with published as (select transaction_id, pg_xact_commit_timestamp(xmin) as at from orders.outbox where event_id = $1)
     select extract(epoch from max(b.acked_at) - max(p.at))::float8 as seconds
     from orders.relay_batch b, published p
     where pg_visible_in_snapshot(p.transaction_id, b.snapshot_after) and not pg_visible_in_snapshot(p.transaction_id, b.snapshot_before)`,
    [eventIds[0]],
  );
  const seconds = rows[0]?.seconds;
  if (!seconds) throw new Error('no relay batch holds these events');
  return seconds;
}

export async function processedIn(database: pg.Pool, eventIds: readonly string[]): Promise<number> {
  const { rows } = await database.query<{ seconds: number; processed: number }>(
    `select extract(epoch from max(pg_xact_commit_timestamp(i.xmin)) - min(pg_xact_commit_timestamp(o.xmin)))::float8 as seconds,
       count(*)::int as processed
     from orders.outbox o join loyalty.inbox i using (event_id) where o.event_id = any($1::uuid[])`,
    [eventIds],
  );
  const { seconds = 0, processed = 0 } = rows[0] ?? {};
  if (processed !== eventIds.length) throw new Error(`${eventIds.length - processed} of ${eventIds.length} events had no effect`);
  return seconds;
}
