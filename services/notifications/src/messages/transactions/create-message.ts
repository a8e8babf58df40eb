import type { Signal, Transaction } from '@corner/chassis';
import type { Envelope } from '@corner/contracts';
import type { EventContent, MessageContent } from '../rules/content.ts';
import { insertContent, type NewMessage, wasSent } from '../tables/messages.ts';

type Event = Pick<Envelope, 'id' | 'sequence' | 'customerid' | 'storeid'>;

/**
 * Supersedes older messages on an event's topics and creates the event's message, once however often the event is processed. A guest gets
 * a message only about an entry of the queue: nothing else says where to reach a guest. When a message was created, the
 * signal is raised once it is due.
 */
export async function createMessage(
  tx: Transaction,
  event: Event,
  { supersedes, message: content }: EventContent,
  signal: Signal,
): Promise<void> {
  const record = (messages: readonly NewMessage[]) =>
    insertContent(tx, { eventId: event.id, sequence: event.sequence, topics: supersedes, messages });
  const message = content && messageOf(tx, event, content);
  if (content?.corrects) {
    // This locks the topic, so that a delivery which is under way is seen by its lease.
    await record([]);
    if (!(await wasSent(tx, content.topic, content.corrects))) return;
  }
  await record(message ? [message] : []);
  if (content && message) tx.on('commit', () => signal.raiseAfter(content.waitSeconds * 1000));
}

/** Null when nothing says whom the message is for. */
function messageOf(tx: Transaction, { customerid, storeid: storeId }: Event, content: MessageContent): NewMessage | null {
  const [customerId, entryRef] = [customerid ?? null, content.entryRef ?? null];
  if (!storeId || (customerId === null && entryRef === null)) return null;
  return {
    id: tx.newId(),
    recipient: { customerId, contactId: null, entryRef },
    storeId,
    content: customerId === null ? { ...content, channel: 'sms' } : content,
    dueAt: new Date(tx.now.getTime() + content.waitSeconds * 1000),
  };
}
