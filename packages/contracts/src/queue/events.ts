import { z } from 'zod';
import { defineEvent, type EventContract } from '../event.ts';
import { CustomerId, Instant, StoreId } from '../vocabulary.ts';

export * from './booking-events.ts';

export const QueueEntryData = z.object({
  entry_ref: z.guid().describe('Names the entry. The entry id is the credential of a guest, so events do not carry it.'),
  store_id: StoreId.describe('The store whose queue it is.'),
  customer_id: CustomerId.nullable().describe('The customer who waits. Null for a guest.'),
  position: z.int().nullable().describe('The place in the queue, from 1. Null when not waiting.'),
  hold_until: Instant.nullable().describe('Until when the place of a called party is held. Null when it is not called.'),
  left_by: z
    .enum(['owner', 'closing'])
    .nullable()
    .default(null)
    .describe(
      'Who ended the wait of an entry that left: its owner, or the end of the store’s day. Null for every other change, and when staff ended it.',
    ),
  by_id: z
    .string()
    .nullable()
    .default(null)
    .describe('The id of the person at the store who made the change. Null when the owner of the place or the time made it.'),
  joined_at: Instant.optional().describe(
    'When the party joined. Absent from queue.joined, whose time it is, and from an older version’s events.',
  ),
  quoted_wait_min: z.int().optional().describe('Minutes of waiting that it was quoted at joining. Absent from an older version’s events.'),
  at: Instant.describe('When it changed.'),
});

const entry = (change: string, summary: string): EventContract<typeof QueueEntryData> =>
  defineEvent({ type: `queue.${change}`, producers: ['queue'], version: 1, summary, data: QueueEntryData });

export const queueJoined = entry('joined', 'A walk-in joined the queue.');
export const queueConfirmed = entry('confirmed', 'Someone at the store confirmed a guest who waits.');
export const queueClaimed = entry(
  'claimed',
  'A customer signed in and took over the place that they had joined as a guest. customer_id names them.',
);
export const queueCalled = entry('called', 'A walk-in was called. The place is held until hold_until.');
export const queueRecalled = entry('recalled', 'A call was taken back. The walk-in waits again, in the original place.');
export const queueAssigned = entry('assigned', 'A walk-in was given a chair.');
export const queueLeft = entry('left', 'A walk-in left the queue.');
export const queueNoShow = entry('no_show', 'A walk-in was called or given a chair, and did not come.');
export const queueCompleted = entry('completed', 'A walk-in was served.');
export const queueConverted = entry('converted', 'A walk-in left the queue for a booking at a later time.');
export const queueReopened = entry(
  'reopened',
  'Staff undid a completion, a no-show or a clearing. The walk-in is called again when hold_until is set, waits again when position is set, and else has the chair again.',
);
