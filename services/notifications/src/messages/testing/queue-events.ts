import { randomUUID } from 'node:crypto';
import type { DataOf, Envelope, EventContract, QueueEntryData, queueLeft } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import type { Guest } from './messaging.ts';

/** Creates the events that the queue would publish about one entry. */
export function queueEvents({ customerId, storeId }: Guest, customer: string | null = customerId, entry_ref: string = randomUUID()) {
  return (
    event: EventContract<typeof QueueEntryData>,
    sequence = 1,
    hold_until: string | null = null,
    left_by: DataOf<typeof queueLeft>['left_by'] = null,
  ): Envelope =>
    envelopeOf(
      event,
      { entry_ref, store_id: storeId, customer_id: customer, position: null, hold_until, left_by, at: '2026-06-01T12:00:00Z' },
      { aggregateId: entry_ref, sequence, storeId, ...(customer ? { customerId: customer } : {}) },
    );
}
