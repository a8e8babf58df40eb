import { z } from 'zod';
import { defineEvent } from './event.ts';
import { CustomerId, Instant, StoreId } from './vocabulary.ts';

/** The reads of a customer's data that are recorded. Lists that a counter shows all day, of orders and of the queue, are not recorded. */
export const dataReads = ['look_up', 'card', 'membership', 'export', 'directory_export'] as const;
export type DataRead = (typeof dataReads)[number];

/** Who reads: a merchant or member of staff of a store, an operator of the platform, or the customer. */
export const readers = ['merchant', 'staff', 'operator', 'customer'] as const;
export type Reader = (typeof readers)[number];

export const customerDataRead = defineEvent({
  type: 'customer_data.read',
  producers: ['loyalty'],
  version: 1,
  summary:
    'A person at a store looked up customers, or opened one. Published in the transaction of the read, and recorded by the directory.',
  data: z.object({
    by: z
      .object({ kind: z.enum(readers).describe('What they are.'), id: z.string().describe('The subject of their token.') })
      .describe('Who read.'),
    store_id: StoreId.describe('The store for which they read.'),
    customer_ids: z.array(CustomerId).describe('Whose data they were shown.'),
    what: z.enum(dataReads).describe('What they were shown.'),
    at: Instant.describe('When.'),
  }),
});
