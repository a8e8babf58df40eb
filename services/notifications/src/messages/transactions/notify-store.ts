import type { Signal, Transaction } from '@corner/chassis';
import { channelsOfContact } from '../rules/channels.ts';
import type { StoreMessage } from '../rules/content.ts';
import { type Contact, selectContacts } from '../tables/contacts.ts';
import { insertEventRecords } from '../tables/event-records.ts';

/** What a message to a store is about: an event, or a digest, which has an id and a sequence of its own. */
export interface Occasion {
  readonly id: string;
  readonly sequence: number;
  readonly storeId: string;
}

/**
 * Creates a message for each contact of a store and each channel of the contact, once however often the event is processed. Each has a
 * topic of its own, so that a provider that fails for one of them keeps no other waiting. Raises the signal at commit.
 */
export async function notifyStore(
  tx: Transaction,
  { id: eventId, sequence, storeId }: Occasion,
  content: StoreMessage,
  signal: Signal,
): Promise<void> {
  const messages = (await selectContacts(tx, storeId)).flatMap((contact) =>
    channelsOfContact(content.template, contact).map((channel) => ({
      id: tx.newId(),
      recipient: { customerId: null, contactId: contact.id, entryRef: null },
      storeId,
      content: { ...content, channel, topic: topicOf(content.topic, contact, channel) },
      dueAt: tx.now,
    })),
  );
  if (messages.length === 0) return;
  const topics = messages.map((message) => message.content.topic);
  await insertEventRecords(tx, { contents: [{ eventId, sequence, topics, messages }] });
  tx.on('commit', signal.raise);
}

/** Makes the messages of a store on a topic out of date, for each contact and channel. */
export async function supersedeStoreMessages(tx: Transaction, { id: eventId, sequence, storeId }: Occasion, topic: string): Promise<void> {
  const contacts = await selectContacts(tx, storeId);
  const topics = contacts.flatMap((contact) => (['email', 'push', 'sms'] as const).map((channel) => topicOf(topic, contact, channel)));
  if (topics.length > 0) await insertEventRecords(tx, { contents: [{ eventId, sequence, topics, messages: [] }] });
}

const topicOf = (topic: string, { id }: Contact, channel: string) => `${topic}:${id}:${channel}`;
