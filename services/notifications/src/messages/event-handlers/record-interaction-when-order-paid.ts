import { on } from '@corner/chassis';
import { orderPaid } from '@corner/contracts';
import { upsertInteraction } from '../tables/interactions.ts';

/** Records that the customer has interacted with the store where they paid. */
export const recordInteractionWhenOrderPaid = on(orderPaid, ({ data }, tx) =>
  upsertInteraction(tx, { customerId: data.customer_id, storeId: data.store_id, at: data.paid_at }),
);
