import { job } from '@corner/chassis';
import { endOverdue } from './jobs/end-overdue.ts';
import { eraseGuests } from './jobs/erase-guests.ts';

/** What the queue does because time has passed. */
export const jobs = { endOverdue: job(15, endOverdue), eraseGuests: job(900, eraseGuests) };
