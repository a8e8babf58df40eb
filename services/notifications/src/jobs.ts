import { job } from '@corner/chassis';
import type { Context } from './context.ts';
import { dropOldErrands } from './messages/jobs/drop-old-messages.ts';
import { deliverErrands } from './messages/sagas/deliver-messages.ts';
import { walletJobs } from './wallet/doors.ts';

/** What notifications do because time has passed. */
export const jobs = {
  deliverErrands: job<Context>(1, deliverErrands, ({ errands }) => errands),
  dropOldErrands: job<Context>(3_600, dropOldErrands),
  ...walletJobs,
};
