import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { moveAsStaff } from '../tables/move-as-staff.ts';

/** Somebody has been served, and the chair is free. */
export const completeQueueEntry: Operation<typeof contracts.completeQueueEntry, Context> = async (request, context) =>
  await moveAsStaff(request, context, 'complete');
