import { z } from 'zod';
import { defineEvent } from './event.ts';
import { CustomerId, Instant, StoreId } from './vocabulary.ts';

/**
 * Reads of a customer's data in the services, most of them by operators: the envelope of a dead letter, the values of its event, the
 * customer's messages, the facts about an id. Pages repeat them and several services serve one page, so each kind is recorded once per
 * customer, person and hour.
 */
export const hourlyReads = ['dead_letter', 'payload', 'messages', 'story'] as const;

/** The recorded reads of a customer's data. Lists that a counter shows all day, of orders and of the queue, are not recorded. */
export const dataReads = ['look_up', 'card', 'membership', 'export', 'directory_export', ...hourlyReads] as const;
export type DataRead = (typeof dataReads)[number];

export const readers = ['merchant', 'staff', 'operator', 'customer'] as const;
export type Reader = (typeof readers)[number];

export const customerDataRead = defineEvent({
  type: 'customer_data.read',
  producers: ['orders', 'loyalty', 'queue', 'notifications'],
  version: 1,
  summary:
    'A person at a store looked up customers or opened one, or an operator was shown data of one. Published before the read is answered, and recorded by the directory.',
  data: z.object({
    by: z
      .object({
        kind: z.enum(readers).describe('What they are.'),
        id: z.string().describe('The subject of their token; the name of an operator.'),
      })
      .describe('Who read.'),
    store_id: StoreId.nullable().describe('The store for which they read, or whose customer they were shown. Null when no store is named.'),
    customer_ids: z.array(CustomerId).describe('Whose data they were shown.'),
    what: z.enum(dataReads).describe('What they were shown.'),
    at: Instant.describe('When.'),
  }),
});
