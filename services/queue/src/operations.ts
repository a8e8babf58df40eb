import type { OperationsOf } from '@corner/chassis';
import type { queue } from '@corner/contracts';
import type { Context } from './context.ts';
import { assignQueueEntry } from './operations/assign-queue-entry.ts';
import { callQueueEntry } from './operations/call-queue-entry.ts';
import { completeQueueEntry } from './operations/complete-queue-entry.ts';
import { convertQueueEntry } from './operations/convert-queue-entry.ts';
import { joinQueue } from './operations/join-queue.ts';
import { leaveQueue } from './operations/leave-queue.ts';
import { listQueueEntries } from './operations/list-queue-entries.ts';
import { noShowQueueEntry } from './operations/no-show-queue-entry.ts';
import { queueStatus } from './operations/queue-status.ts';
import { recallQueueEntry } from './operations/recall-queue-entry.ts';

/** Every operation of the queue. */
export const operations: OperationsOf<typeof queue, Context> = {
  joinQueue,
  leaveQueue,
  queueStatus,
  listQueueEntries,
  callQueueEntry,
  recallQueueEntry,
  assignQueueEntry,
  completeQueueEntry,
  noShowQueueEntry,
  convertQueueEntry,
};
