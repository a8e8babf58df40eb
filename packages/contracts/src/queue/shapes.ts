import { z } from 'zod';
import { Instant } from '../vocabulary.ts';

export const queueStatuses = ['waiting', 'called', 'assigned', 'completed', 'left', 'no_show', 'converted_to_appointment'] as const;

/** A queue entry as the customer sees it, without guest_phone. */
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
    appointment_id: z.string().nullable().describe('The booking that the entry became.'),
    queue_position: z.int().nullable().describe('From 1. Null when not waiting.'),
    expected_wait_min: z.int().nullable().describe('Null when not waiting.'),
    expected_start: Instant.nullable().describe('When a chair is expected to be free. Null when not waiting.'),
    suggested_unit_id: z.string().nullable().describe('The chair that is expected to be free first. Null when not waiting.'),
  })
  .meta({ id: 'QueueEntry' });

/** A queue entry as the store sees it: also the guest's phone, and until when a called place is held. */
export const MerchantQueueEntry = QueueEntry.extend({
  guest_phone: z.string().nullable(),
  hold_until: Instant.nullable().describe('Until when the place of a called walk-in is held.'),
}).meta({ id: 'MerchantQueueEntry' });
