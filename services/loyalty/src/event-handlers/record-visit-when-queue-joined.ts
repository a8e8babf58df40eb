import { onAll } from '@corner/chassis';
import { queueJoined } from '@corner/contracts';
import { recordVisits } from '../transactions/record-visits.ts';

/** Records the visits of customers who joined a store’s queue. */
export const recordVisitWhenQueueJoined = onAll(queueJoined, ({ data }) => data, recordVisits);
