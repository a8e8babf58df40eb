import { z } from 'zod';
import { Instant } from '../vocabulary.ts';

export const queueStatuses = ['waiting', 'called', 'assigned', 'completed', 'left', 'no_show', 'converted_to_appointment'] as const;

/** A queue entry as the customer sees it, without guest_phone. */
export const QueueEntry = z
  .object({
    entry_id: z.string(),
    store_id: z.string(),
    customer_id: z.string().nullable(),
    guest_name: z.string().nullable(),
    service_id: z.string().nullable(),
    preferred_unit_id: z.string().nullable(),
    party_size: z.int(),
    status: z.enum(queueStatuses),
    joined_at: Instant,
    called_at: Instant.nullable(),
    quoted_wait_min: z.int().nullable(),
    appointment_id: z.string().nullable(),
    queue_position: z.int().nullable(),
    expected_wait_min: z.int().nullable(),
    expected_start: Instant.nullable(),
    suggested_unit_id: z.string().nullable(),
  })
  .meta({ id: 'QueueEntry' });

/** A queue entry as the store sees it: also the guest's phone, and until when a called place is held. */
export const MerchantQueueEntry = QueueEntry.extend({
  guest_phone: z.string().nullable(),
  hold_until: Instant.nullable(),
}).meta({ id: 'MerchantQueueEntry' });
