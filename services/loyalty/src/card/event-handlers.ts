import { on, onAll } from '@corner/chassis';
import { bookingMade, directoryProgramme, directoryStore, queueClaimed, queueJoined } from '@corner/contracts';
import { monthlyQuota } from './rules.ts';
import { saveProgramme, saveStore } from './tables/directory.ts';
import { recordVisits } from './transactions.ts';

export const projectStore = on(directoryStore, ({ data }, tx) => saveStore(tx, data));

/** A changed goal applies from the next stamp on. */
export const projectProgramme = on(directoryProgramme, ({ data }, tx) =>
  saveProgramme(tx, data, monthlyQuota(data.plan_key, data.monthly_stamp_quota)),
);

export const recordVisitWhenQueueJoined = onAll(queueJoined, ({ data }) => data, recordVisits);

export const recordVisitWhenBookingMade = onAll(bookingMade, ({ data }) => data, recordVisits);

export const recordVisitWhenQueueClaimed = onAll(queueClaimed, ({ data }) => data, recordVisits);
