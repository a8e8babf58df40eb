import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { isForgotten } from '../tables/live-queue.ts';
import { settledQueue } from '../tables/settled-queue.ts';

/** Ends calls that nobody came for, waits that outlived the store's day, and chairs nobody was seen to leave. One store at a time: its queue is locked meanwhile. */
export async function endOverdue({ database, now }: Pick<Context, 'database' | 'now'>): Promise<void> {
  const at = now();
  const stores = await database.anyFirst(sql.prepared('stores-to-settle', z.object({ store_id: z.string() }))`
    select distinct store_id from entry e
    where (status = 'called' and hold_until <= ${at.toISOString()})
      or (status = 'waiting' and joined_at <= ${at.toISOString()}::timestamptz - interval '30 minutes')
      or (${isForgotten(at)})`);
  for (const storeId of stores) await settledQueue(database, storeId, at);
}
