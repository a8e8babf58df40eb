import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { moveAsStaff } from '../tables/move-as-staff.ts';

/** Somebody did not come; a chair that was theirs is free. */
export const noShowQueueEntry: Operation<typeof contracts.noShowQueueEntry, Context> = async (request, context) =>
  await moveAsStaff(request, context, 'noShow');
