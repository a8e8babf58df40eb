import { schedule } from '@corner/chassis';
import { dropOldCodes } from './schedules/drop-old-codes.ts';
import { expireVouchers } from './schedules/expire-vouchers.ts';

/** What loyalty does because time has passed. */
export const schedules = { expireVouchers: schedule(30, expireVouchers), dropOldCodes: schedule(3_600, dropOldCodes) };
