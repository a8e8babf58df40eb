import { z } from 'zod';
import { defineEvent, type EventContract } from '../event.ts';
import { CustomerId, Instant, StoreId } from '../vocabulary.ts';

/** The entry's id is a guest's credential, so events name the entry by another id of its own. */
export const QueueEntryData = z.object({
  entry_ref: z.guid(),
  store_id: StoreId,
  customer_id: CustomerId.nullable(),
  position: z.int().nullable(),
  hold_until: Instant.nullable(),
  at: Instant,
});

const entry = (deed: string, summary: string): EventContract<typeof QueueEntryData> =>
  defineEvent({ type: `queue.${deed}`, producers: ['queue'], version: 1, summary, data: QueueEntryData });

export const queueJoined = entry('joined', 'Somebody joined the queue.');
export const queueCalled = entry('called', 'It is somebody’s turn; the place is held until hold_until.');
export const queueRecalled = entry('recalled', 'A call was taken back; the place in the queue is the one from before.');
export const queueAssigned = entry('assigned', 'Somebody was given a chair.');
export const queueLeft = entry('left', 'Somebody left the queue.');
export const queueNoShow = entry('no_show', 'Somebody was called or given a chair, and did not come.');
export const queueCompleted = entry('completed', 'Somebody was served.');
export const queueConverted = entry('converted', 'Somebody waits no longer: they took a booking for later.');
