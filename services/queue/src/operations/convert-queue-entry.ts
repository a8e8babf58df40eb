import type { Operation } from '@corner/chassis';
import type { queue as contracts } from '@corner/contracts';
import type { Context } from '../context.ts';
import { moveAsStaff } from '../tables/move-as-staff.ts';

/** Somebody takes a booking for later, made in the diary, and waits no longer. */
export const convertQueueEntry: Operation<typeof contracts.convertQueueEntry, Context> = async (request, context) =>
  await moveAsStaff(request, context, 'convert', async () => ({ appointmentId: request.body.appointment_id ?? null }));
