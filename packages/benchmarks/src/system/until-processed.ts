import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Waits until loyalty has committed the effects of every event that orders has published so far. Throws after `withinMs`, or when
 * loyalty has an open dead letter.
 */
export async function untilProcessed(database: pg.Pool, withinMs = 120_000): Promise<void> {
  for (const until = performance.now() + withinMs; ; await pause(20)) {
    const { rows } = await database.query<{ published: number; processed: number; dead: number }>(`
      select (select count(*) from orders.outbox)::int as published,
        (select count(*) from loyalty.inbox where type like 'order.%' or type like 'payment.%')::int as processed,
        (select count(*) from loyalty.dead_letter where settled_at is null)::int as dead`);
    const { published = 0, processed = 0, dead = 0 } = rows[0] ?? {};
    if (dead > 0) throw new Error(`loyalty has ${dead} open dead letters`);
    if (processed >= published) return;
    if (performance.now() > until) throw new Error(`loyalty has processed ${processed} of ${published} events after ${withinMs} ms`);
  }
}
