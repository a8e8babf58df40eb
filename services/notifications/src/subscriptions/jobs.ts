import type { Context } from '../context.ts';
import { keptSince } from './rules/retries.ts';
import { deleteOldEvents, deleteOldWebhooks } from './tables/events.ts';
import { deleteOldCounts } from './tables/hosts.ts';

const batchSize = 1_000;

export async function dropOldEvents({ database, now }: Context): Promise<void> {
  const before = keptSince(now());
  while ((await deleteOldEvents(database, before, batchSize)) >= batchSize);
  await deleteOldWebhooks(database, before);
  await deleteOldCounts(database, new Date(now().getTime() - 3_600_000));
}
