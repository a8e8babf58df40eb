import { type OutboxEntry, outboxEntry, type Transaction } from '@corner/chassis';
import type { DataOf, EventContract, QueueEntryData, queueLeft } from '@corner/contracts';
import type { Entry } from '../tables/entries.ts';

/**
 * Returns the event of a change of an entry, for the statement that makes the change: `entry` is the entry after it, as far as the event
 * says. The event names the entry by `id`, since `entry_id` is a credential. Sequences have no gaps.
 */
export function entryEvent(
  tx: Transaction,
  event: EventContract<typeof QueueEntryData>,
  entry: Pick<Entry, 'id' | 'store_id' | 'customer_id' | 'hold_until' | 'event_sequence'>,
  { position = null, leftBy = null }: EntryEventDetails = {},
): OutboxEntry {
  const { id, store_id, customer_id, hold_until, event_sequence } = entry;
  const data = { entry_ref: id, store_id, customer_id, position, hold_until, left_by: leftBy, at: tx.now.toISOString() };
  return outboxEntry(event, { aggregateId: id, sequence: event_sequence, storeId: store_id, customerId: customer_id ?? undefined, data });
}

export interface EntryEventDetails {
  /** The position after the change; null when the entry does not wait. */
  readonly position?: number | null;
  /** Who ended the wait of an entry that left. */
  readonly leftBy?: DataOf<typeof queueLeft>['left_by'];
}
