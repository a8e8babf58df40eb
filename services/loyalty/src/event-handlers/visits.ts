import { onAll } from '@corner/chassis';
import { queueClaimed, queueCompleted, queueJoined } from '@corner/contracts';
import { recordVisits } from '../transactions/record-visits.ts';

/** Records the visits of customers who joined a store’s queue. */
export const recordVisitWhenQueueJoined = onAll(queueJoined, ({ data }) => data, recordVisits);

/** Records the visits of customers who joined a store’s queue as guests and then signed in. */
export const recordVisitWhenQueueClaimed = onAll(queueClaimed, ({ data }) => data, recordVisits);

/** Records the visits of customers whom a store served from its queue. */
export const recordVisitWhenQueueCompleted = onAll(queueCompleted, ({ data }) => data, recordVisits);
