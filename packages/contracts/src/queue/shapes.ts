import { z } from 'zod';
import { ChangedBy, extension, Instant } from '../vocabulary.ts';

export const queueStatuses = ['waiting', 'called', 'assigned', 'completed', 'left', 'no_show', 'converted_to_appointment'] as const;

/** Minutes after joining between which a chair was offered for eight of ten of the store's similar quotes. */
export const WaitRange = z
  .object({
    from_min: z.int().describe('One of ten chairs was offered by then.'),
    to_min: z.int().describe('Nine of ten chairs were offered by then.'),
  })
  .meta({ id: 'WaitRange' });

export const QueueEntry = z
  .object({
    entry_id: z.string().describe('A guest’s only credential for the entry.'),
    store_id: z.string(),
    customer_id: z.string().nullable(),
    guest_name: z.string().nullable(),
    service_id: z.string().nullable(),
    preferred_unit_id: z.string().nullable(),
    party_size: z.int(),
    status: z.enum(queueStatuses),
    joined_at: Instant,
    called_at: Instant.nullable(),
    quoted_wait_min: z.int().nullable().describe('The wait that was quoted at the time of joining.'),
    wait_range: extension(
      WaitRange.nullable().describe('The spread of quoted_wait_min as it was at joining. Null when the store had fewer than 20 quotes.'),
    ),
    appointment_id: z.string().nullable().describe('The booking that the entry became.'),
    queue_position: z.int().nullable().describe('From 1. Null when not waiting.'),
    expected_wait_min: z.int().nullable().describe('Null when not waiting.'),
    expected_start: Instant.nullable().describe('When a chair is expected to be free, to the minute. Null when not waiting.'),
    suggested_unit_id: z.string().nullable().describe('The chair that is expected to be free first. Null when not waiting.'),
  })
  .meta({ id: 'QueueEntry' });

export const EntryId = z.guid().toLowerCase().describe('The place in the queue, as joinQueue returned it.');

export const MerchantQueueEntry = QueueEntry.extend({
  customer_name: z.string().nullable().describe('The name of a signed-in customer. Null for a guest, and where the directory has none.'),
  guest_phone: z.string().nullable(),
  hold_until: Instant.nullable().describe('Until when the place of a called walk-in is held.'),
  confirmed: extension(
    z.boolean().describe('Whether a customer waits, or someone whom the store knows: staff added, called, seated or confirmed them.'),
  ),
  counted: extension(
    z
      .boolean()
      .describe(
        'Whether the place counts when the day is full: confirmed ones do, and the first two of each address, of which one per phone number.',
      ),
  ),
  by: ChangedBy.nullable().describe('Who at the store made the last change. Null when its owner or the time made it.'),
  seats: extension(
    z
      .array(z.object({ unit_id: z.string(), starts_at: Instant, ends_at: Instant }))
      .describe(
        'Of a party in a chair, the chairs that it has; of one that is called or waits, those that it would get. Empty when the day has no room left for it, and once it has left.',
      ),
  ),
}).meta({ id: 'MerchantQueueEntry' });

export const WalkIns = z
  .object({
    open: z.boolean(),
    until: Instant.nullable().describe('When walk-ins can join again. Null while they can, and when it is not known.'),
    reason: z
      .enum(['switch', 'pause', 'closure', 'store'])
      .nullable()
      .describe(
        'Why they cannot: staff switched them off, the store is paused, it is closed by an exception to its hours, or its settings take no walk-ins. Null while they can.',
      ),
    by: ChangedBy.nullable().describe('Who switched walk-ins off. Null for every other reason.'),
  })
  .meta({ id: 'WalkIns' });

export const Named = z.object({ id: z.string(), name: z.string() });

export const QueueLogEntry = z
  .object({
    id: z.string().describe('The cursor of the next page.'),
    at: Instant,
    title: z.string().describe('A sentence for the store.'),
    detail: z.string().nullable().describe('The reason that was typed, if there was one.'),
    by: ChangedBy.nullable().describe('Who at the store did it. Null when the owner of the place or the time did.'),
    entry_id: z.string().nullable().describe('The place in the queue that it is about. Null for a switch of walk-ins and for bookings.'),
    appointment_id: extension(z.string().nullable().describe('The booking that it is about. Null for anything else.')),
    reopens_until: Instant.nullable().describe(
      'Of the row that says how an entry ended: until when reopenQueueEntry can undo that. Null for any other row, and when it cannot be undone.',
    ),
  })
  .meta({ id: 'QueueLogEntry' });

export const QueueChainRow = z
  .object({
    number: z.int().describe('Its number at the store: 1, 2, 3 … without gaps.'),
    entry_ref: z.string().describe('The place that was changed, by a name that is no credential.'),
    kind: z.string().describe('What was done: joined, called, left and so on.'),
    status: z.enum(queueStatuses).describe('The status of the place after it.'),
    at: Instant.describe('When.'),
    place: Instant.describe('By what those who wait are ordered, after it: the time of joining.'),
    hash: z
      .string()
      .describe(
        'SHA-256 in hex: of the bytes of the hash before (32 zeros before the first row), and of number, entry_ref, kind, status, at and place, with a space between them.',
      ),
  })
  .meta({ id: 'QueueChainRow' });
export type QueueChainRow = z.output<typeof QueueChainRow>;

export const QueueChainHead = z.object({
  number: z.int().describe('The number of the last change.'),
  hash: z.string().describe('Its hash.'),
});
