import type { Context } from './context.ts';
import { latestPublishedUntil, publishedUntil } from './rules/templates.ts';
import { pruneInvitations } from './tables/invitations.ts';
import { batchSize, findPublishedBefore, type Renewable } from './tables/renewals.ts';
import { prunedRows, pruneSessions } from './tables/sessions.ts';
import { renewStore } from './transactions/renew-store.ts';

/**
 * Publishes slots and floors again whose templates make a further day: once a day for each store, after its midnight. Each store has a
 * transaction of its own, and one that fails stops no other. Rejects when one has failed.
 */
export async function renewTemplates({ database, now, log }: Context): Promise<void> {
  const failed = new Set<string>();
  for (let after: Renewable | undefined, full = true; full; ) {
    const batch = await findPublishedBefore(database, latestPublishedUntil(now()), after);
    for (const [storeId, objects] of Map.groupBy(batch, ({ store_id }) => store_id)) {
      try {
        if (objects.every(({ published_until, time_zone }) => published_until >= publishedUntil(time_zone, now()))) continue;
        await database.transaction((tx) => renewStore(tx, storeId));
      } catch (error) {
        log.error({ err: error, store_id: storeId }, 'the slots and shifts of a store could not be renewed');
        failed.add(storeId);
      }
    }
    after = batch.at(-1);
    full = batch.length === batchSize;
  }
  if (failed.size > 0) throw new Error(`the templates of ${failed.size} stores were not renewed: ${[...failed].slice(0, 10).join(', ')}`);
}

const dayMs = 86_400_000;

/** Deletes sessions a day after their end, for that long their ID tokens are known to be used, and invitations a month after theirs. */
export async function deleteSessions({ database, now }: Context): Promise<void> {
  const before = (days: number) => new Date(now().getTime() - days * dayMs);
  while ((await pruneSessions(database, before(1))) === prunedRows);
  while ((await pruneInvitations(database, before(30), prunedRows)) === prunedRows);
}
