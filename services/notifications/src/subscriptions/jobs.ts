import type { Context } from '../context.ts';
import { keptSince } from './rules/retries.ts';
import { deliverEvents as deliver } from './sagas/deliver-events.ts';
import { deleteOldEvents, deleteOldWebhooks } from './tables/events.ts';

/** Gives events their numbers at webhooks, and delivers what is due. */
export const deliverEvents = deliver;

/** Rows one statement deletes: few, so that no other statement waits for it. */
const batchSize = 1_000;

/** Deletes events of webhooks after thirty days, and webhooks that ended as long ago. */
export async function dropOldEvents({ database, now }: Context): Promise<void> {
  const before = keptSince(now());
  while ((await deleteOldEvents(database, before, batchSize)) >= batchSize);
  await deleteOldWebhooks(database, before);
}
