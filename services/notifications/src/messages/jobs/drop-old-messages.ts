import type { Context } from '../../context.ts';
import { deleteOldMessages } from '../tables/messages.ts';
import { deleteOldReviews } from '../tables/stamp-reviews.ts';

/** Days a message is kept after it was settled, and a topic after its last event. No event arrives later than that. */
const retentionDays = 30;
/** Rows one statement deletes: few, so that no other statement waits for it. */
const batchSize = 1_000;

/** Deletes messages that were settled long ago, topics without messages, and stamps that were reviewed long ago. */
export async function dropOldMessages({ database, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - retentionDays * 86_400_000);
  while ((await deleteOldMessages(database, before, batchSize)) === batchSize);
  while ((await deleteOldReviews(database, before, batchSize)) === batchSize);
}
