import { job } from '@corner/chassis';
import { dropOldCodes } from './jobs/drop-old-codes.ts';
import { dropOldRequests } from './jobs/drop-old-requests.ts';
import { expireMultiStamps } from './jobs/expire-multi-stamps.ts';
import { expireVouchers } from './jobs/expire-vouchers.ts';

/** What loyalty does because time has passed. */
export const jobs = {
  expireVouchers: job(30, expireVouchers),
  expireMultiStamps: job(30, expireMultiStamps),
  dropOldCodes: job(3_600, dropOldCodes),
  dropOldRequests: job(3_600, dropOldRequests),
};
