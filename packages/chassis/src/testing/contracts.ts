import { anyone, customer, defineEvent, defineOperation, defineRpc, merchant, scoped } from '@corner/contracts';
import { z } from 'zod';

/** The smallest contracts that show the chassis's guarantees: two services, their events, RPCs and operations. */
export const thingChanged = defineEvent({
  type: 'thing.changed',
  producers: ['orders'],
  version: 1,
  summary: 'A thing changed.',
  data: z.object({ thing_id: z.guid(), version: z.int() }),
});

export const thingSeen = defineEvent({
  type: 'thing.seen',
  producers: ['orders'],
  version: 1,
  summary: 'Someone looked at a thing.',
  data: z.object({ thing_id: z.guid() }),
});

export const double = defineRpc({
  name: 'loyalty.double',
  service: 'loyalty',
  summary: 'Twice a number.',
  input: z.object({ number: z.int() }),
  output: z.object({ doubled: z.int() }),
  problems: ['STAMP_NOT_FOUND'],
  deadlineMs: 60_000,
});

const Reply = z.object({ thing_id: z.string(), version: z.int(), passing: z.boolean().optional() });

const changeThing = defineOperation({
  name: 'changeThing',
  service: 'orders',
  method: 'POST',
  path: '/api/v1/things/{thingId}',
  summary: 'Changes a thing.',
  caller: merchant,
  params: z.object({ thingId: z.guid() }),
  body: z.object({ store_id: z.guid(), note: z.string().max(20).nullish() }),
  reply: Reply,
  problems: ['ORDER_NOT_FOUND'],
  replay: 'header',
  keeps: ({ passing }) => passing !== true,
  example: {},
});

const readThing = defineOperation({
  name: 'readThing',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/things/{thingId}',
  summary: 'Reads a thing.',
  caller: scoped(customer, 'customer:read'),
  params: z.object({ thingId: z.guid() }),
  reply: Reply,
  problems: [],
  replay: 'none',
  example: {},
});

const readVersion = defineOperation({
  name: 'readVersion',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/things/{thingId}/version',
  summary: 'Reads the version of a thing.',
  caller: merchant,
  params: z.object({ thingId: z.guid() }),
  query: z.object({ store_id: z.guid() }),
  reply: Reply,
  problems: ['ORDER_NOT_FOUND'],
  replay: 'none',
  versioned: true,
  example: {},
});

const raiseVersion = defineOperation({
  name: 'raiseVersion',
  service: 'orders',
  method: 'PATCH',
  path: '/api/v1/things/{thingId}/version',
  summary: 'Raises the version of a thing.',
  caller: merchant,
  params: z.object({ thingId: z.guid() }),
  body: z.object({ store_id: z.guid() }),
  reply: Reply,
  problems: ['ORDER_NOT_FOUND'],
  replay: 'header',
  versioned: true,
  example: {},
});

const greet = defineOperation({
  name: 'greet',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/greeting',
  summary: 'Returns the type of the caller.',
  deprecated: { since: '2026-01-15', sunset: '2027-02-01', use: 'readThing' },
  caller: anyone,
  query: z.object({ fail: z.enum(['bug', 'transient', 'reply']).optional() }),
  reply: z.object({ caller: z.string() }),
  problems: [],
  replay: 'none',
  example: {},
});

const promised = defineOperation({
  name: 'promised',
  service: 'orders',
  method: 'GET',
  path: '/api/v1/promised',
  summary: 'Not built.',
  caller: anyone,
  reply: Reply,
  problems: [],
  replay: 'none',
  example: {},
});

export const contracts = { changeThing, readThing, readVersion, raiseVersion, greet, promised };
