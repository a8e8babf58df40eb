import { on } from '@corner/chassis';
import { orderPaid } from '@corner/contracts';
import { noteInteraction } from '../tables/interactions.ts';

/** Whoever has paid at a store has dealt with it. */
export const noteDealingWhenOrderPaid = on(orderPaid, ({ data }, tx) =>
  noteInteraction(tx, { customerId: data.customer_id, storeId: data.store_id, at: data.paid_at }),
);
