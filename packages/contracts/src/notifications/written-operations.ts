import { z } from 'zod';
import { defineOperation, staff } from '../operation.ts';
import { ChangedBy, CustomerId, extension, Instant, queryInteger, StoreId } from '../vocabulary.ts';

const demoStore = '0190a000-0000-7000-8000-000000000001';
const ana = '0190a000-0000-7000-8000-0000000000a1';
const service = 'notifications';
const path = '/api/v1/notifications/stores/{store_id}/messages' as const;

const WrittenMessage = z
  .object({
    id: z.string(),
    customer_id: z.string(),
    text: z.string(),
    by: ChangedBy,
    at: Instant,
    state: z
      .enum(['pending', 'sent', 'muted', 'failed', 'unknown'])
      .describe('`muted`: the customer wants no messages of the store, or cannot be reached. `unknown`: it was written over a month ago.'),
  })
  .meta({ id: 'WrittenMessage' });

const TextAnswer = z
  .object({
    id: z.string(),
    customer_id: z.string().nullable().describe('Null for a guest of the queue.'),
    entry_ref: z.string().nullable().describe('The place in the queue that the answered text was about. Null for another text.'),
    text: z.string(),
    at: Instant,
  })
  .meta({ id: 'TextAnswer' });

export const writeMessage = defineOperation({
  name: 'writeMessage',
  service,
  method: 'POST',
  path,
  summary: 'Write to a customer.',
  description:
    'To one who has dealt with the store, such as about an order or a booking. Not sent to a customer who has muted the store’s messages. It is kept with the name of who wrote it.',
  caller: staff,
  params: z.object({ store_id: StoreId }),
  body: z.object({ customer_id: CustomerId, text: z.string().trim().min(1).max(160).describe('What the customer reads.') }),
  reply: z.object({ message: WrittenMessage }),
  problems: ['STORE_NOT_FOUND', 'CUSTOMER_NOT_FOUND'],
  replay: 'header',
  limits: [{ by: 'principal', limit: 30, windowSeconds: 60 }],
  extension: true,
  example: { params: { store_id: demoStore }, body: { customer_id: ana, text: 'You left your umbrella here.' } },
});

export const listMessagesOfStore = defineOperation({
  name: 'listMessagesOfStore',
  service,
  method: 'GET',
  path,
  summary: 'List what staff wrote to customers, and what was answered.',
  description:
    'Newest first. An answer is a text message that someone sent back within seven days of a text of the store, if no other store had written to their number since. Answers of guests are kept for 30 days.',
  caller: staff,
  params: z.object({ store_id: StoreId }),
  query: z.object({
    customer_id: CustomerId.optional().describe('One customer. Every one when absent.'),
    limit: queryInteger(z.int().min(1).max(100).default(50)).describe('Messages at most, and answers.'),
  }),
  reply: z.object({ messages: z.array(WrittenMessage), answers: extension(z.array(TextAnswer)) }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});
