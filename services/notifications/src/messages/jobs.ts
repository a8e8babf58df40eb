import { measure, pause } from '@corner/chassis';
import type { Context } from '../context.ts';
import { answeredWithinMs } from './rules/texts.ts';
import { deliverDueMessages } from './sagas/deliver-due-messages.ts';
import { answerIdOf, takeText } from './sagas/take-text.ts';
import { deleteOldCounts } from './tables/mail-limits.ts';
import { deleteOldMessages } from './tables/messages.ts';
import { deleteOldReviews, selectDueDigests } from './tables/stamp-reviews.ts';
import { deleteOldTexts, selectUntaken } from './tables/texts.ts';
import { sendStampDigests } from './transactions/notify-store.ts';

/** Milliseconds a message that was just created waits for others, so that one lease takes them all. */
const gatherMs = 10;

export async function deliverMessages(context: Context): Promise<void> {
  await pause(gatherMs);
  await deliverDueMessages(context);
}

export const deliverCampaigns = (context: Context): Promise<void> => deliverDueMessages(context, 'campaigns');

/**
 * Milliseconds. A merchant who reviews several stamps gets one report, after a pause of `quietMs` and at most `longestMs` after the first.
 * Waiting stamps are reported at most once in `stampDigestMinutes`.
 */
const quietMs = 10_000;
const longestMs = 300_000;

export async function notifyStoresOfStamps({ database, now, messageSignal, stampDigestMinutes }: Context): Promise<void> {
  const before = (milliseconds: number) => new Date(now().getTime() - milliseconds);
  const notifiedBefore = before(stampDigestMinutes * 60_000);
  const due = await selectDueDigests(database, { quietSince: before(quietMs), reviewedBefore: before(longestMs), notifiedBefore });
  for (const digest of due) await database.transaction((tx) => sendStampDigests(tx, digest, notifiedBefore, messageSignal));
}

/** Milliseconds in which a text that did not arrive by its webhook is still looked for. */
const readAgainMs = 86_400_000;

/** Takes the texts of which Twilio's request did not arrive or was not answered, the oldest first. */
export async function readTexts(context: Context): Promise<void> {
  const { channels, database, now } = context;
  const received = (await channels.sms?.receivedSince(new Date(now().getTime() - readAgainMs))) ?? [];
  if (received.length === 0) return;
  const untaken = new Set(
    await selectUntaken(
      database,
      received.map(({ id }) => ({ textId: id, answerId: answerIdOf(id) })),
    ),
  );
  for (const text of received.toReversed())
    if (untaken.has(text.id) && (await takeText(text, context))) measure('corner.texts.received', 1, { 'corner.outcome': 'ok' });
}

/** Days a message is kept after it was finished, and a topic after its last event. No event arrives later than that. */
const retentionDays = 30;
const batchSize = 1_000;

export async function dropOldMessages({ database, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - retentionDays * 86_400_000);
  while ((await deleteOldMessages(database, before, batchSize)) === batchSize);
  while ((await deleteOldReviews(database, before, batchSize)) === batchSize);
  const numbersBefore = new Date(now().getTime() - answeredWithinMs);
  while ((await deleteOldTexts(database, { numbersBefore, answersBefore: before, limit: batchSize })) === batchSize);
  const yesterday = new Date(now().getTime() - 86_400_000);
  while ((await deleteOldCounts(database, yesterday, batchSize)) === batchSize);
}
