import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { CustomerId, Instant, StoreId } from '../vocabulary.ts';
import { preferenceToggles } from './switches.ts';

export const customerSeen = defineEvent({
  type: 'customer.seen',
  producers: ['loyalty'],
  version: 1,
  summary:
    'A customer interacted with a store for the first time: an order was paid, a place in the queue taken, or a stamp collected or granted.',
  data: z.object({ customer_id: CustomerId.describe('The customer.'), store_id: StoreId.describe('The store.') }),
});

export const prefsChanged = defineEvent({
  type: 'prefs.changed',
  producers: ['notifications'],
  version: 1,
  summary: 'A customer changed notification preferences.',
  data: z.object({
    customer_id: CustomerId.describe('The customer.'),
    store_id: StoreId.describe('The store whose messages it is about.'),
    changed: z.partialRecord(z.enum(preferenceToggles), z.boolean()).describe('The toggles that changed, with their new values.'),
    at: Instant.describe('When they changed.'),
  }),
});

export const marketingAnswered = defineEvent({
  type: 'marketing.answered',
  producers: ['notifications'],
  version: 1,
  summary: 'A customer accepted or declined marketing notifications. The record of consent, with the text they saw, is at notifications.',
  data: z.object({
    customer_id: CustomerId.describe('The customer.'),
    store_id: StoreId.describe('The store whose messages it is about.'),
    accepted: z.boolean().describe('Whether marketing messages may be sent.'),
    at: Instant.describe('When the customer answered.'),
  }),
});

export const messageAnswered = defineEvent({
  type: 'message.answered',
  producers: ['notifications'],
  version: 1,
  summary: 'Someone answered a text message of a store. The answer is read with listMessagesOfStore.',
  data: z.object({
    answer_id: z.guid().describe('The answer.'),
    store_id: StoreId.describe('The store that wrote to them last.'),
    customer_id: CustomerId.nullable().describe('The customer. Null for a guest of the queue.'),
    at: Instant.describe('When the answer arrived.'),
  }),
});
