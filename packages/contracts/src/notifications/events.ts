import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { CustomerId, Instant, StoreId } from '../vocabulary.ts';

/** The toggles of a preference row, by their public names. */
export const preferenceToggles = [
  'messagesMuted',
  'classReminders',
  'classEventsEnabled',
  'voucherEventsEnabled',
  'stampEventsEnabled',
  'membershipEventsEnabled',
  'penaltyEventsEnabled',
  'marketingEnabled',
] as const;

export const customerSeen = defineEvent({
  type: 'customer.seen',
  producers: ['orders', 'loyalty', 'queue'],
  version: 1,
  summary: 'A customer dealt with a store for the first time in one of the services.',
  data: z.object({ customer_id: CustomerId, store_id: StoreId }),
});

export const prefsChanged = defineEvent({
  type: 'prefs.changed',
  producers: ['notifications'],
  version: 1,
  summary: 'A customer changed what to hear about.',
  data: z.object({
    customer_id: CustomerId,
    store_id: StoreId,
    changed: z.partialRecord(z.enum(preferenceToggles), z.boolean()),
    at: Instant,
  }),
});

export const marketingAnswered = defineEvent({
  type: 'marketing.answered',
  producers: ['notifications'],
  version: 1,
  summary: 'A customer answered the marketing question: the record of consent.',
  data: z.object({ customer_id: CustomerId, store_id: StoreId, accepted: z.boolean(), at: Instant }),
});
