import { onAll } from '@corner/chassis';
import { queueClaimed } from '@corner/contracts';
import { recordVisits } from '../transactions/record-visits.ts';

/** Records the visits of customers who joined a store’s queue as guests and then signed in. */
export const recordVisitWhenQueueClaimed = onAll(queueClaimed, ({ data }) => data, recordVisits);
