import { notBuilt, type OperationsOf } from '@corner/chassis';
import type { queue } from '@corner/contracts';
import type { Context } from './context.ts';

/** Every operation of the queue. */
export const operations: OperationsOf<typeof queue, Context> = {
  joinQueue: notBuilt,
  leaveQueue: notBuilt,
  queueStatus: notBuilt,
};
