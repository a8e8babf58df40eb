import type { Signal, Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { insertEventRecords } from '../tables/event-records.ts';
import { findWritten, insertWritten, type NewText, type Written } from '../tables/written.ts';

/** The customer must have dealt with the store; a repeat under the id changes nothing. Throws STORE_NOT_FOUND and CUSTOMER_NOT_FOUND. */
export async function writeMessage(tx: Transaction, given: NewText, signal: Signal): Promise<Written> {
  const { id, storeId, customerId, text } = given;
  const { store_known, customer_known, added } = await insertWritten(tx, given);
  if (!store_known) throw new Problem('STORE_NOT_FOUND');
  if (!customer_known) throw new Problem('CUSTOMER_NOT_FOUND');
  if (added) {
    const topic = `written:${id}`;
    const content = { template: 'message.written', data: { text }, topic, channel: 'push', expiresAt: null } as const;
    const recipient = { customerId, contactId: null, entryRef: null };
    const messages = [{ id: tx.newId(), recipient, storeId, content, dueAt: tx.now }];
    await insertEventRecords(tx, { contents: [{ eventId: id, sequence: 1, topics: [topic], messages }] });
    tx.on('commit', signal.raise);
  }
  const written = await findWritten(tx, storeId, id);
  if (!written) throw new Problem('CUSTOMER_NOT_FOUND');
  return written;
}
