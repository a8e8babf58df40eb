import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Waits until loyalty has committed the effects of every event that orders has told so far. Throws when `withinMs` pass without an end,
 * or when an event was set aside.
 */
export async function untilProcessed(database: pg.Pool, withinMs = 120_000): Promise<void> {
  for (const until = performance.now() + withinMs; ; await pause(20)) {
    const { rows } = await database.query<{ told: number; heard: number; dead: number }>(`
      select (select count(*) from orders.outbox)::int as told,
        (select count(*) from loyalty.inbox where type like 'order.%' or type like 'payment.%')::int as heard,
        (select count(*) from loyalty.dead_letter where settled_at is null)::int as dead`);
    const { told = 0, heard = 0, dead = 0 } = rows[0] ?? {};
    if (dead > 0) throw new Error(`loyalty set ${dead} events aside`);
    if (heard >= told) return;
    if (performance.now() > until) throw new Error(`loyalty has heard ${heard} of ${told} events after ${withinMs} ms`);
  }
}
