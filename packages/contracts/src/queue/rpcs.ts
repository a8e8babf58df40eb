import { z } from 'zod';
import { defineRpc } from '../rpc.ts';

export const queueGuest = defineRpc({
  name: 'queue.guest',
  service: 'queue',
  summary:
    'Returns the phone number that was given for an entry, or a booking, for one message about it. Events never carry it, since they outlive the day after which the queue erases it. QUEUE_ENTRY_NOT_FOUND for an unknown one, and from an hour after it ended.',
  input: z.object({ entry_ref: z.guid() }),
  output: z.object({ phone: z.string().nullable() }),
  problems: ['QUEUE_ENTRY_NOT_FOUND'],
  deadlineMs: 1_500,
});
