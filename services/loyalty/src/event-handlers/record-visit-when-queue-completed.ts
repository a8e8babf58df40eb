import { onAll } from '@corner/chassis';
import { queueCompleted } from '@corner/contracts';
import { recordVisits } from '../transactions/record-visits.ts';

/** Records the visits of customers whom a store served from its queue. */
export const recordVisitWhenQueueCompleted = onAll(queueCompleted, ({ data }) => data, recordVisits);
