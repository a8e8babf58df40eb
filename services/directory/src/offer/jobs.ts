import type { Context } from '../context.ts';
import { latestPublishedUntil, publishedUntil } from '../object/rules/templates.ts';
import { batchSize, findPublishedBefore, type Renewable } from './tables.ts';
import { renewStore } from './transactions.ts';

/**
 * Publishes slots and floors again whose templates make a further day: once a day for each store, after its midnight. Each store has a
 * transaction of its own, and a failure stops no other store. Rejects when one has failed.
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
