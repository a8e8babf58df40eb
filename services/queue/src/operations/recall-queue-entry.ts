import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { moveAsStaff } from '../tables/move-as-staff.ts';

/** Takes a call back: they wait where they waited before, by their time of joining. */
export const recallQueueEntry: Operation<typeof contracts.recallQueueEntry, Context> = async (request, context) =>
  await moveAsStaff(request, context, 'recall', async (_tx, { joined_at }, { entries }) => {
    const ahead = entries.filter((entry) => entry.status === 'waiting' && entry.joined_at < joined_at);
    return { position: ahead.length + 1 };
  });
