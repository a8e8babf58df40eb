import { on } from '@corner/chassis';
import { queueCompleted } from '@corner/contracts';
import { recordVisit } from '../transactions/record-visit.ts';

/** Records the visit of a customer whom the store served from its queue. A guest has no card. */
export const recordVisitWhenQueueCompleted = on(
  queueCompleted,
  async ({ data: { store_id: storeId, customer_id: customerId, at } }, tx) => {
    if (customerId) await recordVisit(tx, { storeId, customerId }, at);
  },
);
