import { on, onAll } from '@corner/chassis';
import { queueCompleted, queueReopened } from '@corner/contracts';
import { stampVisits, takeBackVisit } from './transactions.ts';

/** Records the visits of customers whom a store served from its queue, and stamps them where its programme rewards visits. */
export const stampVisitWhenQueueCompleted = onAll(queueCompleted, ({ data, sequence }) => ({ ...data, sequence }), stampVisits);

/** Takes back the stamp of a visit when staff undo its completion. */
export const takeBackVisitWhenQueueReopened = on(queueReopened, ({ data, sequence }, tx) => takeBackVisit(tx, { ...data, sequence }));
