import type { Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** Records that a customer is in a store's queue. Returns true the first time. */
export const insertCustomerSeen = async (queries: Queries, { storeId, customerId, at }: CustomerSeen): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('insert-customer-seen', z.object({ store_id: z.string() }))`
    insert into customer_seen (store_id, customer_id, first_at) values (${storeId}, ${customerId}, ${at.toISOString()})
    on conflict do nothing
    returning store_id`)) !== null;

interface CustomerSeen {
  readonly storeId: string;
  readonly customerId: string;
  readonly at: Date;
}
