import type { Context } from '../../context.ts';
import { selectDueDigests } from '../tables/stamp-reviews.ts';
import { sendStampDigests } from '../transactions/send-stamp-digests.ts';

/** A merchant who works through a list is notified once, after a pause of this long. */
const quietMs = 10_000;
/** A review is reported this long after it at the latest. */
const longestMs = 300_000;

/** Notifies stores of stamps that were reviewed, and of stamps that wait for approval: at most once in `stampDigestMinutes`. */
export async function notifyStoresOfStamps({ database, now, messageSignal, stampDigestMinutes }: Context): Promise<void> {
  const before = (milliseconds: number) => new Date(now().getTime() - milliseconds);
  const notifiedBefore = before(stampDigestMinutes * 60_000);
  const due = await selectDueDigests(database, { quietSince: before(quietMs), reviewedBefore: before(longestMs), notifiedBefore });
  for (const digest of due) await database.transaction((tx) => sendStampDigests(tx, digest, notifiedBefore, messageSignal));
}
