import { schedule } from '@corner/chassis';
import type { Context } from './context.ts';
import { deliverErrands } from './sagas/deliver-errands.ts';
import { dropOldErrands } from './schedules/drop-old-errands.ts';
import { walletSchedules } from './wallet/doors.ts';

/** What notifications do because time has passed. */
export const schedules = {
  deliverErrands: schedule<Context>(1, deliverErrands, ({ errands }) => errands),
  dropOldErrands: schedule<Context>(3_600, dropOldErrands),
  ...walletSchedules,
};
