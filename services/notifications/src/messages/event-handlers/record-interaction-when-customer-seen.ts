import { on } from '@corner/chassis';
import { customerSeen } from '@corner/contracts';
import { upsertInteraction } from '../tables/interactions.ts';

/** Records that a customer has interacted with a store, so that their list of preferences contains it. */
export const recordInteractionWhenCustomerSeen = on(customerSeen, ({ data, time }, tx) =>
  upsertInteraction(tx, { customerId: data.customer_id, storeId: data.store_id, at: time }),
);
