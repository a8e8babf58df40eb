import { schedule } from '@corner/chassis';
import { expireVouchers } from './schedules/expire-vouchers.ts';

/** What loyalty does because time has passed. */
export const schedules = { expireVouchers: schedule(30, expireVouchers) };
