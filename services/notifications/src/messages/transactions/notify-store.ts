import type { Signal, Transaction } from '@corner/chassis';
import { channelsOfContact } from '../rules/channels.ts';
import type { StoreMessage } from '../rules/content.ts';
import { stampsWaitingTopic, storeMessageForStampsReviewed, storeMessageForStampsWaiting } from '../rules/content-for-stores.ts';
import { type Contact, selectContacts } from '../tables/directory.ts';
import { insertEventRecords, type Review } from '../tables/event-records.ts';
import { countWaitingStamps, type DueDigest, lockDigest, markReviewsReported, updateDigest } from '../tables/stamp-reviews.ts';

export interface Occasion {
  readonly id: string;
  readonly sequence: number;
  readonly storeId: string;
}

/**
 * Creates a message for each contact of a store and each of its channels, once. Each has its own topic, so that a failing provider delays
 * no other. Raises the signal at commit. Returns how many.
 */
export async function notifyStore(
  tx: Transaction,
  { id: eventId, sequence, storeId }: Occasion,
  content: StoreMessage,
  signal: Signal,
): Promise<number> {
  const messages = (await selectContacts(tx, storeId)).flatMap((contact) =>
    channelsOfContact(content.template, contact).map((channel) => ({
      id: tx.newId(),
      recipient: { customerId: null, contactId: contact.id, entryRef: null },
      storeId,
      content: { ...content, channel, topic: topicOf(content.topic, contact, channel) },
      dueAt: tx.now,
    })),
  );
  if (messages.length === 0) return 0;
  const topics = messages.map((message) => message.content.topic);
  await insertEventRecords(tx, { contents: [{ eventId, sequence, topics, messages }] });
  tx.on('commit', signal.raise);
  return messages.length;
}

async function supersedeStoreMessages(tx: Transaction, { id: eventId, sequence, storeId }: Occasion, topic: string): Promise<void> {
  const contacts = await selectContacts(tx, storeId);
  const topics = contacts.flatMap((contact) => (['email', 'push', 'sms'] as const).map((channel) => topicOf(topic, contact, channel)));
  if (topics.length > 0) await insertEventRecords(tx, { contents: [{ eventId, sequence, topics, messages: [] }] });
}

const topicOf = (topic: string, { id }: Contact, channel: string) => `${topic}:${id}:${channel}`;

/** `notifiedBefore` is checked again under the lock, so that only one replica creates a digest. */
export async function sendStampDigests(
  tx: Transaction,
  { store_id: storeId, reviews, waiting }: DueDigest,
  notifiedBefore: Date,
  signal: Signal,
): Promise<void> {
  const digest = await lockDigest(tx, storeId);
  let { sequence, waiting_notified_at } = digest;
  const occasion = () => {
    sequence += 1;
    return { id: tx.newId(), sequence, storeId };
  };
  if (reviews) {
    const counts = await markReviewsReported(tx, storeId);
    if (counts.approved + counts.rejected > 0) {
      const about = occasion();
      await notifyStore(tx, about, storeMessageForStampsReviewed(about.id, counts), signal);
    }
  }
  const stamps =
    waiting && (!waiting_notified_at || new Date(waiting_notified_at) <= notifiedBefore) ? await countWaitingStamps(tx, storeId) : 0;
  if (stamps > 0) {
    await notifyStore(tx, occasion(), storeMessageForStampsWaiting(storeId, stamps), signal);
    waiting_notified_at = tx.now.toISOString();
  }
  if (sequence !== digest.sequence) await updateDigest(tx, storeId, { sequence, waiting_notified_at });
}

/** After the review of a store's last waiting stamp, a digest that has not been sent yet is out of date. */
export async function noticeStampReview(tx: Transaction, { eventId, storeId }: Review): Promise<void> {
  const digest = await lockDigest(tx, storeId);
  if ((await countWaitingStamps(tx, storeId)) > 0) return;
  const sequence = digest.sequence + 1;
  await updateDigest(tx, storeId, { ...digest, sequence });
  await supersedeStoreMessages(tx, { id: eventId, sequence, storeId }, stampsWaitingTopic(storeId));
}
