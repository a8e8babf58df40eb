import type { Signal, Transaction } from '@corner/chassis';
import type { Envelope } from '@corner/contracts';
import type { EventContent } from '../rules/content.ts';
import { insertContent } from '../tables/messages.ts';

/**
 * Supersedes older messages on an event's topics and creates the event's message, once however often the event is processed. A customer
 * without an account has no address and gets no message. Raises the signal at commit when a message was created.
 */
export async function createMessage(
  tx: Transaction,
  event: Pick<Envelope, 'id' | 'sequence' | 'customerid' | 'storeid'>,
  { supersedes, message: content }: EventContent,
  signal: Signal,
): Promise<void> {
  const { id: eventId, sequence, customerid: customerId, storeid: storeId } = event;
  const message = content && customerId && storeId ? { id: tx.newId(), customerId, storeId, content, dueAt: dueAt(tx.now, content) } : null;
  await insertContent(tx, { eventId, sequence, topics: supersedes, message });
  if (message) tx.on('commit', signal.raise);
}

const dueAt = (now: Date, { waitSeconds }: { readonly waitSeconds: number }) => new Date(now.getTime() + waitSeconds * 1000);
