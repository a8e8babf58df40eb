import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { moveAsStaff } from '../tables/move-as-staff.ts';

/** It is somebody's turn: the place is held for as long as the store holds places. A second call does not hold it longer. */
export const callQueueEntry: Operation<typeof contracts.callQueueEntry, Context> = async (request, context) =>
  await moveAsStaff(request, context, 'call', async (_tx, _entry, { calledHoldMinutes }) => ({ holdMinutes: calledHoldMinutes }));
