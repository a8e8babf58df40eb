import { z } from 'zod';
import { defineOperation, manager, orPartner, staff } from '../operation.ts';
import { typedName } from '../typed/names.ts';
import { dialledAtStore, TypedPhoneNumber } from '../typed/phone-numbers.ts';
import { InstantInput, pageOfLog, queryInteger, StoreId } from '../vocabulary.ts';
import { EntryId, MerchantQueueEntry, Named, QueueLogEntry, WalkIns } from './shapes.ts';

const demoStore = '0190a000-0000-7000-8000-000000000002';
const someEntry = '4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d';
const service = 'queue';

const entryAt = z.object({ entry_id: EntryId });
const ofStore = z.object({ store_id: StoreId });
const entryReply = z.object({ entry: MerchantQueueEntry });
const moveProblems = ['QUEUE_ENTRY_NOT_FOUND', 'INVALID_TRANSITION'] as const;
const someMove = { params: { entry_id: someEntry }, body: { store_id: demoStore } };
const repeats = 'A repeat changes nothing.';

export const listQueueEntries = defineOperation({
  name: 'listQueueEntries',
  service,
  method: 'GET',
  path: '/api/v1/queue/entries',
  summary: 'List the live queue of a store.',
  description:
    'Returns the entries that are called, waiting or assigned, in that order, each with its current expected wait, whether walk-ins can join, and the chairs and services of the store.',
  caller: orPartner(staff, 'queue:read'),
  query: ofStore,
  reply: z.object({
    entries: z.array(MerchantQueueEntry),
    called_hold_minutes: z.number(),
    walk_ins: WalkIns,
    chairs: z.array(Named).describe('In the store’s order.'),
    services: z.array(Named).describe('In the store’s order: the first is that of a party that names none.'),
  }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'none',
  extension: true,
  example: { query: { store_id: demoStore } },
});

export const readWaits = defineOperation({
  name: 'readWaits',
  service,
  method: 'GET',
  path: '/api/v1/queue/stores/{store_id}/waits',
  summary: 'Read how well the quoted waits of a store were kept.',
  description:
    'By week, this one first; a week without a quote is left out. A quote is kept when a chair was offered, by a call or by a seat, at most five minutes later than quoted. A party that left before is counted as left and not as kept; one that was called back counts by its last call.',
  caller: orPartner(manager, 'queue:read'),
  params: ofStore,
  query: z.object({ weeks: queryInteger(z.int().min(1).max(52).default(8)).describe('How many weeks.') }),
  reply: z.object({
    weeks: z.array(
      z.object({
        week: z.string().describe('The Monday on which it began at the store.'),
        quotes: z.int().describe('Parties that joined.'),
        offered: z.int().describe('Parties that were offered a chair.'),
        kept: z.int().describe('Of those, how many in time.'),
        left: z.int().describe('Parties that left, or took a later booking, before a chair was offered.'),
        late_median_min: z
          .int()
          .nullable()
          .describe('Minutes by which half were late at most; below 0 for early. Null without a chair that was offered.'),
        late_p90_min: z.int().nullable().describe('Minutes by which nine of ten were late at most. Null as above.'),
      }),
    ),
  }),
  problems: ['STORE_NOT_FOUND', 'INSUFFICIENT_ROLE'],
  replay: 'none',
  extension: true,
  example: { params: { store_id: demoStore } },
});

export const confirmQueueEntry = defineOperation({
  name: 'confirmQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries/{entry_id}/confirm',
  summary: 'Confirm a guest who waits.',
  description: `Someone at the store knows that the guest is there, so that the place counts when the day is full and is not cleared. A customer, and a walk-in whom staff added or called, is confirmed already. ${repeats}`,
  caller: orPartner(staff, 'queue:act'),
  params: entryAt,
  body: ofStore,
  reply: entryReply,
  problems: moveProblems,
  replay: 'header',
  extension: true,
  example: someMove,
});

export const callQueueEntry = defineOperation({
  name: 'callQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries/{entry_id}/call',
  summary: 'Call a waiting walk-in.',
  description: `The place is held for called_hold_minutes. After that the entry becomes a no-show. ${repeats}`,
  caller: orPartner(staff, 'queue:act'),
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
  description: `The walk-in waits again, in the place that joined_at gives. ${repeats}`,
  caller: orPartner(staff, 'queue:act'),
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
  summary: 'Assign a chair to a walk-in, from now.',
  description: `Without unit_id, assigns the preferred chair, or else the first chair that is free for the whole service. A booking is made for each person of the party, the first from now. Returns NO_CAPACITY_TODAY when no such chair is free now. ${repeats}`,
  caller: orPartner(staff, 'queue:act'),
  params: entryAt,
  body: ofStore.extend({ unit_id: z.guid().toLowerCase().nullish().describe('The chair.') }),
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
  summary: 'Complete an assigned entry.',
  description: `The walk-in has been served, and the chair is free from now. ${repeats}`,
  caller: orPartner(staff, 'queue:act'),
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
  summary: 'Mark a called or assigned walk-in as a no-show.',
  description: `A chair that was assigned is free from now. ${repeats}`,
  caller: orPartner(staff, 'queue:act'),
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
  summary: 'Convert an entry to a booking for later.',
  description: `Ends the entry. With starts_at its party is booked at that time, for the service of the entry, and appointment_id of the entry names the booking. ${repeats}`,
  caller: orPartner(staff, 'queue:act'),
  params: entryAt,
  body: ofStore.extend({
    appointment_id: z
      .guid()
      .toLowerCase()
      .nullish()
      .describe('A booking that was made already, here or in the directory’s diary. Null when none is made yet. Ignored with starts_at.'),
    starts_at: InstantInput.nullish().describe('When the booking begins that is made now. A party of more than one is booked one by one.'),
    unit_id: z.guid().toLowerCase().nullish().describe('The chair of that booking. The one that the party prefers, or any, when absent.'),
  }),
  reply: entryReply,
  problems: [...moveProblems, 'UNIT_NOT_FOUND', 'TIME_NOT_FREE'],
  replay: 'header',
  extension: true,
  example: someMove,
});

export const addQueueEntry = defineOperation({
  name: 'addQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries',
  summary: 'Add a walk-in who stands at the counter.',
  description:
    'The walk-in waits behind everyone else, as after joinQueue, and the entry names who added it. It is possible while walk-ins are switched off, and while the store is paused or closed by an exception to its hours; not at a store that takes no walk-ins at all. A chair that is named must be the store’s and offer the service (else UNIT_NOT_FOUND), and must have a shift with enough time (else NO_CAPACITY_TODAY).',
  caller: orPartner(staff, 'queue:act'),
  body: z.object({
    store_id: StoreId,
    guest_name: typedName(80).nullish().describe('What staff call the walk-in.'),
    guest_phone: TypedPhoneNumber.nullish().describe(
      `Where the store can reach the walk-in, and where a text is sent when it is their turn. ${dialledAtStore}`,
    ),
    party_size: z.int().min(1).max(8).default(1).describe('How many people come together.'),
    service_id: z.guid().toLowerCase().nullish().describe('The requested service. Absent: the store’s first one.'),
    chair_id: z
      .guid()
      .toLowerCase()
      .nullish()
      .describe('The chair that the walk-in asks for: preferred_unit_id of the entry. Any chair when absent.'),
  }),
  reply: entryReply,
  problems: ['STORE_NOT_FOUND', 'WALK_INS_NOT_ACCEPTED', 'NO_CAPACITY_TODAY', 'SERVICE_NOT_FOUND', 'UNIT_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { body: { store_id: demoStore, guest_name: 'Dee', party_size: 1 } },
});

export const clearUnconfirmedEntries = defineOperation({
  name: 'clearUnconfirmedEntries',
  service,
  method: 'POST',
  path: '/api/v1/queue/stores/{store_id}/clear',
  summary: 'Clear the places that do not count.',
  description:
    'Ends each waiting entry that no one at the store has confirmed, without the first two of each address, of which one per phone number: those with counted=false. They are left. reopenQueueEntry brings one back within ten minutes. A repeat ends those that have come since.',
  caller: orPartner(staff, 'queue:act'),
  params: ofStore,
  body: z.object({}),
  reply: z.object({ ended: z.int().describe('How many places ended.') }),
  problems: ['STORE_NOT_FOUND'],
  replay: 'header',
  extension: true,
  example: { params: { store_id: demoStore }, body: {} },
});

export const reopenQueueEntry = defineOperation({
  name: 'reopenQueueEntry',
  service,
  method: 'POST',
  path: '/api/v1/queue/entries/{entry_id}/reopen',
  summary: 'Undo a completion, a no-show or a clearing.',
  description: `For ten minutes after it, and once for each entry. The entry returns to the status it had: a called one is held again for called_hold_minutes, an assigned one gets its chairs back, and a cleared one waits again in its place and is confirmed. Returns NO_CAPACITY_TODAY when a chair has been given to another since, and INVALID_TRANSITION when it is too late, when the entry was reopened before, and when the customer has another place in the queue by now. No message is sent. ${repeats}`,
  caller: orPartner(staff, 'queue:act'),
  params: entryAt,
  body: ofStore.extend({ reason: z.string().trim().min(1).max(280).nullish().describe('Why, for the log.') }),
  reply: entryReply,
  problems: [...moveProblems, 'NO_CAPACITY_TODAY'],
  replay: 'header',
  extension: true,
  example: { params: { entry_id: someEntry }, body: { store_id: demoStore, reason: 'Tapped by mistake.' } },
});

export const switchWalkIns = defineOperation({
  name: 'switchWalkIns',
  service,
  method: 'POST',
  path: '/api/v1/queue/stores/{store_id}/walk-ins',
  summary: 'Switch walk-ins off for a while, or on again.',
  description:
    'While they are off, joinQueue is refused; those in the queue keep their places. The switch ends by itself, and the directory’s snapshots do not touch it. Switched on, walk-ins are accepted as far as the directory’s settings allow it: WALK_INS_NOT_ACCEPTED when they allow none. A repeat changes nothing.',
  caller: orPartner(staff, 'queue:act'),
  params: z.object({ store_id: StoreId }),
  body: z.object({
    open: z.boolean().describe('Whether walk-ins can join.'),
    until: z
      .union([z.literal('closing'), InstantInput])
      .nullish()
      .describe(
        'When walk-ins that are switched off can join again: `closing` for after the store’s day, an instant that is not past, or null for when they are switched on. When absent, `closing`. Ignored when they are switched on.',
      ),
  }),
  reply: z.object({ walk_ins: WalkIns }),
  problems: ['STORE_NOT_FOUND', 'WALK_INS_NOT_ACCEPTED'],
  replay: 'header',
  extension: true,
  example: { params: { store_id: demoStore }, body: { open: false, until: 'closing' } },
});

export const listQueueLog = defineOperation({
  name: 'listQueueLog',
  service,
  method: 'GET',
  path: '/api/v1/queue/log',
  summary: 'Read the log of a store’s queue.',
  description:
    'Newest first: each change of an entry and each switch of walk-ins, when, and by whom. For the next page, send the id of the last row as before.',
  caller: orPartner(staff, 'queue:read'),
  query: z.object({
    store_id: StoreId,
    ...pageOfLog,
  }),
  reply: z.object({ entries: z.array(QueueLogEntry) }),
  problems: ['STORE_NOT_FOUND', 'INVALID_CURSOR'],
  replay: 'none',
  extension: true,
  example: { query: { store_id: demoStore } },
});
