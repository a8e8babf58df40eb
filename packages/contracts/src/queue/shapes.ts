import { z } from 'zod';
import { Instant } from '../vocabulary.ts';

export const queueStatuses = ['waiting', 'called', 'assigned', 'completed', 'left', 'no_show', 'converted_to_appointment'] as const;

/** As the customer sees it: the guest's phone is on the merchant's surface alone. */
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

/** As the store sees it: with the means to reach a guest, and until when a call holds. */
export const MerchantQueueEntry = QueueEntry.extend({
  guest_phone: z.string().nullable(),
  hold_until: Instant.nullable(),
}).meta({ id: 'MerchantQueueEntry' });
