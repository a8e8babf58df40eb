import { on } from '@corner/chassis';
import { queueClaimed } from '@corner/contracts';
import { recordVisit } from '../transactions/record-visit.ts';

/** Records the visit of a customer who joined the store's queue as a guest and then signed in. */
export const recordVisitWhenQueueClaimed = on(queueClaimed, async ({ data: { store_id: storeId, customer_id: customerId, at } }, tx) => {
  if (customerId) await recordVisit(tx, { storeId, customerId }, at);
});
