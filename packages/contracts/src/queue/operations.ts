import { z } from 'zod';
import { anyone, defineOperation, staff } from '../operation.ts';
import { StoreId } from '../vocabulary.ts';
import { MerchantQueueEntry, QueueEntry, queueStatuses } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000002';
const someEntry = '4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d';
const service = 'queue';

export const joinQueue = defineOperation({
  name: 'joinQueue',
  service,
  method: 'POST',
  path: '/api/v1/queue/join',
  summary: 'Join a store’s walk-in queue.',
  description:
    'A signed-in customer who is waiting already gets the same place back. The wait is worked out from the live diary and kept as quoted. entry_id is a guest’s only credential: keep it secret.',
  caller: anyone,
  body: z.object({
    store_id: StoreId,
    service_id: z.guid().toLowerCase().nullish(),
    preferred_unit_id: z.guid().toLowerCase().nullish(),
    party_size: z.int().min(1).max(8).default(1),
    guest_name: z.string().trim().min(1).max(80).nullish(),
    guest_phone: z.e164().nullish(),
  }),
  reply: z.object({ entry_id: z.string(), reused: z.boolean(), expected_wait_min: z.int(), status: z.enum(queueStatuses) }),
  problems: ['STORE_NOT_FOUND', 'WALK_INS_NOT_ACCEPTED', 'NO_CAPACITY_TODAY', 'SERVICE_NOT_FOUND', 'UNIT_NOT_FOUND'],
  replay: 'header',
  limits: [{ by: 'address', limit: 30, windowSeconds: 60 }],
  example: { body: { store_id: demoStore, party_size: 1, guest_name: 'Dee' } },
});

export const leaveQueue = defineOperation({
  name: 'leaveQueue',
  service,
  method: 'POST',
  path: '/api/v1/queue/leave',
  summary: 'Leave the queue.',
  description: 'Everyone behind moves up. Leaving an entry that has ended changes nothing.',
  caller: anyone,
  body: z.object({ entry_id: z.guid().toLowerCase() }),
  reply: z.object({ entry_id: z.string(), status: z.enum(queueStatuses), noop: z.boolean() }),
  problems: ['QUEUE_ENTRY_NOT_FOUND'],
  replay: 'header',
  example: { body: { entry_id: someEntry } },
});

export const queueStatus = defineOperation({
  name: 'queueStatus',
  service,
  method: 'GET',
  path: '/api/v1/queue/status',
  summary: 'Where one stands in the queue.',
  description: 'By entry_id, or for a signed-in customer by store_id. No active entry is answered with null.',
  caller: anyone,
  query: z.object({ entry_id: z.string().max(64).optional(), store_id: StoreId.optional() }),
  reply: z.object({ entry: QueueEntry.nullable(), called_hold_minutes: z.number() }),
  problems: [],
  replay: 'none',
  example: { query: { entry_id: someEntry } },
});

const entryAt = z.object({ entry_id: z.guid().toLowerCase() });
const ofStore = z.object({ store_id: StoreId });
const entryReply = z.object({ entry: MerchantQueueEntry });
const moveProblems = ['QUEUE_ENTRY_NOT_FOUND', 'INVALID_TRANSITION'] as const;
const someMove = { params: { entry_id: someEntry }, body: { store_id: demoStore } };
const repeats = 'Doing it again changes nothing.';

export const listQueueEntries = defineOperation({
  name: 'listQueueEntries',
  service,
  method: 'GET',
  path: '/api/v1/queue/entries',
  summary: 'The store’s live queue.',
  description: 'Everybody who is called, waiting or in a chair, in that order, each with the wait as it is now.',
  caller: staff,
  query: ofStore,
  reply: z.object({ entries: z.array(MerchantQueueEntry), called_hold_minutes: z.number() }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  extension: true,
  example: { query: { store_id: demoStore } },
});

export const callQueueEntry = defineOperation({
  name: 'callQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries/{entry_id}/call',
  summary: 'Call somebody who waits.',
  description: `The place is held for called_hold_minutes; after that it is a no-show. ${repeats}`,
  caller: staff,
  params: entryAt,
  body: ofStore,
  reply: entryReply,
  problems: moveProblems,
  replay: 'header',
  extension: true,
  example: someMove,
});

export const recallQueueEntry = defineOperation({
  name: 'recallQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries/{entry_id}/recall',
  summary: 'Take a call back.',
  description: `They wait again, in the place their time of joining gives them. ${repeats}`,
  caller: staff,
  params: entryAt,
  body: ofStore,
  reply: entryReply,
  problems: moveProblems,
  replay: 'header',
  extension: true,
  example: someMove,
});

export const assignQueueEntry = defineOperation({
  name: 'assignQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries/{entry_id}/assign',
  summary: 'Give somebody a chair, from now.',
  description: `Without unit_id: the chair they asked for, else the first that is free for the whole service. Each of a party has a place booked, the first from now. NO_CAPACITY_TODAY: no such chair is free now. ${repeats}`,
  caller: staff,
  params: entryAt,
  body: ofStore.extend({ unit_id: z.guid().toLowerCase().nullish() }),
  reply: entryReply,
  problems: [...moveProblems, 'UNIT_NOT_FOUND', 'NO_CAPACITY_TODAY'],
  replay: 'header',
  extension: true,
  example: someMove,
});

export const completeQueueEntry = defineOperation({
  name: 'completeQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries/{entry_id}/complete',
  summary: 'Somebody in a chair has been served.',
  description: `The chair is free from now. ${repeats}`,
  caller: staff,
  params: entryAt,
  body: ofStore,
  reply: entryReply,
  problems: moveProblems,
  replay: 'header',
  extension: true,
  example: someMove,
});

export const noShowQueueEntry = defineOperation({
  name: 'noShowQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries/{entry_id}/no-show',
  summary: 'Somebody who was called, or given a chair, did not come.',
  description: `A chair that was booked for them is free from now. ${repeats}`,
  caller: staff,
  params: entryAt,
  body: ofStore,
  reply: entryReply,
  problems: moveProblems,
  replay: 'header',
  extension: true,
  example: someMove,
});

export const convertQueueEntry = defineOperation({
  name: 'convertQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries/{entry_id}/convert',
  summary: 'Somebody takes a booking for later instead of waiting.',
  description: `The booking itself is made in the diary; appointment_id names it. ${repeats}`,
  caller: staff,
  params: entryAt,
  body: ofStore.extend({ appointment_id: z.guid().toLowerCase().nullish() }),
  reply: entryReply,
  problems: moveProblems,
  replay: 'header',
  extension: true,
  example: someMove,
});
