import { schedule } from '@corner/chassis';
import { endOverdue } from './schedules/end-overdue.ts';
import { eraseGuests } from './schedules/erase-guests.ts';

/** What the queue does because time has passed. */
export const schedules = { endOverdue: schedule(15, endOverdue), eraseGuests: schedule(900, eraseGuests) };
