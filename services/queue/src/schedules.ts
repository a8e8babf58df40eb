import { schedule } from '@corner/chassis';
import { endOverdue } from './schedules/end-overdue.ts';

/** What the queue does because time has passed. */
export const schedules = { endOverdue: schedule(15, endOverdue) };
