import { schedule } from '@corner/chassis';
import { dropOldCodes } from './schedules/drop-old-codes.ts';
import { dropOldRequests } from './schedules/drop-old-requests.ts';
import { expireMultiStamps } from './schedules/expire-multi-stamps.ts';
import { expireVouchers } from './schedules/expire-vouchers.ts';

/** What loyalty does because time has passed. */
export const schedules = {
  expireVouchers: schedule(30, expireVouchers),
  expireMultiStamps: schedule(30, expireMultiStamps),
  dropOldCodes: schedule(3_600, dropOldCodes),
  dropOldRequests: schedule(3_600, dropOldRequests),
};
