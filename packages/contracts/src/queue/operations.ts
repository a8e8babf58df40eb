import { z } from 'zod';
import { anyone, defineOperation } from '../operation.ts';
import { typedName } from '../typed/names.ts';
import { dialledAtStore, TypedPhoneNumber } from '../typed/phone-numbers.ts';
import { extension, Instant, queryInteger, StoreId } from '../vocabulary.ts';
import { EntryId, Named, QueueChainHead, QueueChainRow, QueueEntry, queueStatuses, WaitRange, WalkIns } from './shapes.ts';

export * from './booking-operations.ts';
export * from './staff-operations.ts';
export * from './weekly-class-operations.ts';

const demoStore = '0190a000-0000-7000-8000-000000000002';
const someEntry = '4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d';
const service = 'queue';

export const joinQueue = defineOperation({
  name: 'joinQueue',
  service,
  method: 'POST',
  path: '/api/v1/queue/join',
  summary: 'Join the walk-in queue of a store.',
  description:
    'A signed-in customer who is already in the queue gets the existing entry back (reused=true). WALK_INS_NOT_ACCEPTED also covers a closed or paused store and walk-ins that staff have switched off; its message says until when. The expected wait is derived from the live diary, and stored as quoted. For a guest, entry_id is the only credential: keep it secret. A guest who signs in keeps the place by joining again with its entry_id (reused=true); of two places at one store the better one stays. An entry_id of another customer’s place gets the same response as an unknown one.',
  caller: anyone,
  body: z.object({
    store_id: StoreId,
    service_id: z.guid().toLowerCase().nullish().describe('The requested service. It determines the expected wait.'),
    preferred_unit_id: z.guid().toLowerCase().nullish().describe('A specific chair. Any chair when absent.'),
    party_size: z.int().min(1).max(8).default(1).describe('How many people come together.'),
    guest_name: typedName(80).nullish().describe('Ignored for a signed-in customer.'),
    guest_phone: TypedPhoneNumber.nullish().describe(
      `Where the store can reach a guest, and where a text is sent when it is their turn. ${dialledAtStore} Ignored for a signed-in customer.`,
    ),
    entry_id: extension(
      z
        .guid()
        .toLowerCase()
        .nullish()
        .describe('The place that a signed-in customer took as a guest: it becomes theirs and stays where it is. Ignored for a guest.'),
    ),
  }),
  reply: z.object({
    entry_id: z.string(),
    reused: z.boolean(),
    expected_wait_min: z.int(),
    wait_range: extension(
      WaitRange.nullable().describe(
        'The spread of the quoted wait, by the quotes of the last 28 days. Null with fewer than 20 of them, and with reused=true: queueStatus has that of the quote.',
      ),
    ),
    status: z.enum(queueStatuses),
  }),
  problems: [
    'STORE_NOT_FOUND',
    'QUEUE_ENTRY_NOT_FOUND',
    'WALK_INS_NOT_ACCEPTED',
    'NO_CAPACITY_TODAY',
    'SERVICE_NOT_FOUND',
    'UNIT_NOT_FOUND',
  ],
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
  description: 'Everyone behind moves up one place. Leaving an entry that has already ended changes nothing (noop=true).',
  caller: anyone,
  body: z.object({ entry_id: EntryId }),
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
  summary: 'Read a place in the queue.',
  description:
    'Send entry_id or, as a signed-in customer, store_id. entry is null when there is no active entry. A request that accepts text/event-stream follows the place: it gets each state as it comes.',
  caller: anyone,
  query: z.object({
    entry_id: z.string().max(64).optional().describe('The place in the queue, as joinQueue returned it.'),
    store_id: StoreId.optional().describe('Ignored for a guest.'),
  }),
  reply: z.object({
    entry: QueueEntry.nullable(),
    called_hold_minutes: z.number().describe('How long the place of a called walk-in is held.'),
    chain: extension(
      QueueChainHead.optional().describe(
        'The end of the chain of all changes of this queue. Keep it: readQueueChain shows later that nothing before it was changed. Absent without an entry, and before the first change.',
      ),
    ),
  }),
  problems: [],
  replay: 'none',
  revalidated: true,
  live: ({ entry }) => entry && { storeid: entry.store_id },
  example: { query: { entry_id: someEntry } },
});

export const readQueueChain = defineOperation({
  name: 'readQueueChain',
  service,
  method: 'GET',
  path: '/api/v1/queue/chain',
  summary: 'Read the changes of the queue that you wait in.',
  description:
    'Every join and move of the queue’s places, by whom is not said, oldest first: those after a number, or of the last day. Each row has the hash of itself and of the hash before, so one who kept the end that queueStatus showed sees whether anything before it was changed, and can order those who wait as the rule does. At most 1,000 rows; while the last one is not the head, send its number as after.',
  caller: anyone,
  query: z.object({
    entry_id: z.guid().toLowerCase().describe('Your place in the queue, as joinQueue returned it.'),
    after: queryInteger(z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(0)).describe('The number after which the rows begin.'),
  }),
  reply: z.object({
    entry_ref: z.string().describe('Your place, as the rows name it.'),
    queue_position: z.int().nullable().describe('Your position, as queueStatus shows it. Null when not waiting.'),
    waiting: z
      .array(
        z.object({
          entry_ref: z.string(),
          place: Instant,
          before_chain: extension(
            z
              .boolean()
              .optional()
              .describe(
                'Whether its joining was recorded without a number, before the first change or by an older version. Absent for no.',
              ),
          ),
        }),
      )
      .describe('Those who wait, in the order in which the queue has them now.'),
    rows: z.array(QueueChainRow),
    head: QueueChainHead.nullable().describe('The end of the chain. Null before the first change.'),
  }),
  problems: ['QUEUE_ENTRY_NOT_FOUND'],
  replay: 'none',
  limits: [{ by: 'address', limit: 60, windowSeconds: 60 }],
  extension: true,
  example: { query: { entry_id: someEntry } },
});

const wait = {
  wait_min: z
    .int()
    .nullable()
    .describe('What joinQueue would quote now. Null when it would refuse: walk-ins cannot join, or no time is left today.'),
  wait_range: WaitRange.nullable().describe(
    'The spread that joinQueue would quote now. Null with wait_min, and with fewer than 20 quotes.',
  ),
  next_start: Instant.nullable().describe('When that wait ends, to the minute. Null with it.'),
};

export const readStoreQueue = defineOperation({
  name: 'readStoreQueue',
  service,
  method: 'GET',
  path: '/api/v1/queue/stores/{store_id}',
  summary: 'Read the queue of a store before joining it.',
  description:
    'Whether walk-ins can join, how many parties wait, and the wait for each service and each chair now, for one person, by the rule that quotes it at joining. The first service is that of a party that names none. A request that accepts text/event-stream follows the queue.',
  caller: anyone,
  params: z.object({ store_id: StoreId }),
  reply: z.object({
    store_id: z.string(),
    walk_ins: WalkIns.omit({ by: true }),
    waiting: z.int().describe('Parties that wait to be called.'),
    kept_percent: z
      .int()
      .nullable()
      .describe(
        'Of the waits quoted in the last 28 days, today included, how many were kept: a chair was offered at most five minutes later. Null with fewer than 20.',
      ),
    late_by_min: z
      .int()
      .nullable()
      .describe(
        'The spread of a quote: in nine of ten of those a chair was offered at most so many minutes later than quoted. Null with fewer than 20.',
      ),
    quotes: z.int().describe('How many of those there are.'),
    services: z.array(Named.extend({ minutes: z.int().describe('Minutes that it takes.'), ...wait })).describe('In the store’s order.'),
    chairs: z
      .array(Named.extend({ service_ids: z.array(z.string()).describe('The services that it offers.'), ...wait }))
      .describe('In the store’s order, each with the wait for the first service that it offers.'),
  }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  limits: [{ by: 'address', limit: 240, windowSeconds: 60 }],
  revalidated: true,
  live: ({ store_id }) => ({ storeid: store_id }),
  extension: true,
  example: { params: { store_id: demoStore } },
});
