import { randomUUID } from 'node:crypto';
import type { Envelope, EventContract, QueueEntryData } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import type { Guest } from './messaging.ts';

/** Creates the events that the queue would publish about one entry. */
export function queueEvents({ customerId, storeId }: Guest, customer: string | null = customerId) {
  const entry_ref = randomUUID();
  return (event: EventContract<typeof QueueEntryData>, sequence = 1, hold_until: string | null = null): Envelope =>
    envelopeOf(
      event,
      { entry_ref, store_id: storeId, customer_id: customer, position: null, hold_until, at: '2026-06-01T12:00:00Z' },
      { aggregateId: entry_ref, sequence, storeId, ...(customer ? { customerId: customer } : {}) },
    );
}
