import { on } from '@corner/chassis';
import { customerSeen } from '@corner/contracts';
import { noteInteraction } from '../tables/interactions.ts';

/** A customer whom some service has met at a store gets that store in the list of preferences. */
export const noteDealingWhenCustomerSeen = on(customerSeen, ({ data, time }, tx) =>
  noteInteraction(tx, { customerId: data.customer_id, storeId: data.store_id, at: time }),
);
