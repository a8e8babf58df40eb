import { publish, type Transaction } from '@corner/chassis';
import type { DataOf, EventContract, QueueEntryData, queueLeft } from '@corner/contracts';
import type { Entry } from '../tables/entries.ts';

/** Publishes an event about an entry. The event names the entry by `id`, since `entry_id` is a credential. Sequences have no gaps. */
export async function publishEntryEvent(
  tx: Transaction,
  event: EventContract<typeof QueueEntryData>,
  entry: Entry,
  { position = null, leftBy = null }: EntryEventDetails = {},
): Promise<void> {
  const { id, store_id, customer_id, hold_until, event_sequence } = entry;
  const data = { entry_ref: id, store_id, customer_id, position, hold_until, left_by: leftBy, at: tx.now.toISOString() };
  await publish(tx, event, { aggregateId: id, sequence: event_sequence, storeId: store_id, customerId: customer_id ?? undefined, data });
}

export interface EntryEventDetails {
  /** The position after the change; null when the entry does not wait. */
  readonly position?: number | null;
  /** Who ended the wait of an entry that left. */
  readonly leftBy?: DataOf<typeof queueLeft>['left_by'];
}
