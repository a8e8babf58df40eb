import { z } from 'zod';
import { dataReads, readers } from '../data-access.ts';
import { defineOperation, owner } from '../operation.ts';
import { CustomerId, Instant, pageOfLog } from '../vocabulary.ts';
import { OfStore } from './shapes.ts';

const DataAccess = z
  .object({
    id: z.string().describe('The number of the row in the store’s chain, without gaps; the cursor of the next page.'),
    at: Instant.describe('When it was read.'),
    by: z
      .object({
        kind: z.enum(readers).describe('What they are.'),
        id: z.string().describe('The subject of their token; the name of an operator.'),
        name: z.string().nullable().describe('Their name as the directory has it now. Null for one it does not have.'),
      })
      .describe('Who read.'),
    customer_id: CustomerId.nullable().describe('Whose data they were shown. Null for everyone’s.'),
    what: z
      .enum(dataReads)
      .describe(
        'A look-up that found the customer, the card with its contact data, the membership, an export; by operators also the envelope of a dead letter, the payload of its event, a list of messages, or the story of an id.',
      ),
    request_id: z.string().nullable().describe('The X-Request-ID of the request. Null when it had none.'),
  })
  .meta({ id: 'DataAccess' });

export const listDataAccess = defineOperation({
  name: 'listDataAccess',
  service: 'directory',
  method: 'GET',
  path: '/api/v1/directory/stores/{store_id}/data-access',
  summary: 'Read who at a store read whose data.',
  description:
    'Owners only. Newest first: each look-up of a customer and each opening of one, and what operators were shown. Rows are never changed; an operator verifies that none was. A read appears moments after it was answered. For the next page, send the id of the last row as before.',
  caller: owner,
  params: OfStore,
  query: z.object(pageOfLog).omit({ day: true }),
  reply: z.object({ entries: z.array(DataAccess) }),
  problems: ['STORE_NOT_FOUND', 'INVALID_CURSOR', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: '0190a000-0000-7000-8000-000000000001' } },
});
