import { on } from '@corner/chassis';
import { queueJoined } from '@corner/contracts';
import { recordVisit } from '../transactions/record-visit.ts';

/** Records the visit of a customer who joined the store's queue. A guest has no card. */
export const recordVisitWhenQueueJoined = on(queueJoined, async ({ data: { store_id: storeId, customer_id: customerId, at } }, tx) => {
  if (customerId) await recordVisit(tx, { storeId, customerId }, at);
});
