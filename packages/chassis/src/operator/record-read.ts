import { customerDataRead, type hourlyReads, type Reader } from '@corner/contracts';
import { sql } from 'slonik';
import { NoColumns } from '../database/columns.ts';
import type { Transaction } from '../database/database.ts';
import { insertEventsSql, type OutboxEntry, outboxEntry } from '../outbox/outbox.ts';

/** The customer and the store of a shown record, absent or null when it names none. Without a customer it is not a read. */
export interface Shown {
  readonly store_id?: string | null;
  readonly customer_id?: string | null;
}

export interface Read {
  readonly by: { readonly kind: Reader; readonly id: string };
  readonly what: (typeof hourlyReads)[number];
  readonly shown: readonly Shown[];
}

export type RecordRead = (tx: Transaction, read: Read) => Promise<void>;

/**
 * Publishes a read for each customer at each store that was shown, once an hour: the event's aggregate is the reader, the kind, the
 * customer and the hour, and its second publication does nothing. The envelope names neither store nor customer.
 */
export const publishRead: RecordRead = async (tx, { by, what, shown }) => {
  const at = tx.now.toISOString();
  const entries = new Map<string, OutboxEntry>();
  for (const { store_id = null, customer_id } of shown) {
    if (!customer_id) continue;
    const aggregateId = [by.kind, by.id, what, store_id ?? 'platform', customer_id, at.slice(0, 13)].join(' ');
    const data = { by, store_id, customer_ids: [customer_id], what, at };
    entries.set(aggregateId, outboxEntry(customerDataRead, { aggregateId, sequence: 1, data }));
  }
  if (entries.size === 0) return;
  await tx.query(sql.prepared('publish-read', NoColumns)`
    ${insertEventsSql(tx, [...entries.values()])} on conflict on constraint outbox_once_per_step do nothing`);
};
