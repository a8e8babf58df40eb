import { on, onAll } from '@corner/chassis';
import { bookingMade, directoryProgramme, directoryStore, queueClaimed, queueJoined } from '@corner/contracts';
import { monthlyQuota } from './rules.ts';
import { saveProgramme, saveStore } from './tables/directory.ts';
import { recordVisits } from './transactions.ts';

/** Saves the newest snapshot of a store. */
export const projectStore = on(directoryStore, ({ data }, tx) => saveStore(tx, data));

/** Saves the newest snapshot of a programme. A changed goal applies from the next stamp on. */
export const projectProgramme = on(directoryProgramme, ({ data }, tx) =>
  saveProgramme(tx, data, monthlyQuota(data.plan_key, data.monthly_stamp_quota)),
);

/** Records the visits of customers who joined a store’s queue. */
export const recordVisitWhenQueueJoined = onAll(queueJoined, ({ data }) => data, recordVisits);

/** Records the visits of customers who booked a time at a store. */
export const recordVisitWhenBookingMade = onAll(bookingMade, ({ data }) => data, recordVisits);

/** Records the visits of customers who joined a store’s queue as guests and then signed in. */
export const recordVisitWhenQueueClaimed = onAll(queueClaimed, ({ data }) => data, recordVisits);
