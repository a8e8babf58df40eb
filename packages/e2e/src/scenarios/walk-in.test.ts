import { randomUUID } from 'node:crypto';
import { people, stores } from '@corner/sandbox';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { checkAtRest } from '../testing/checker.ts';
import { callWithRetries } from '../testing/recording-client.ts';
import { startTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
let database: pg.Client;

beforeAll(async () => {
  environment = await startTestEnvironment();
  database = new pg.Client({ connectionString: environment.system.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await environment[Symbol.asyncDispose]();
});

const store_id = stores.cuts.id;
const steps = ['join as a guest', 'join', 'call', 'recall', 'call again', 'assign', 'seat', 'complete', 'no-show', 'leave'] as const;
type Step = (typeof steps)[number];

interface Entry {
  readonly entry_id: string;
  readonly status: string;
  readonly queue_position: number | null;
}

/** A guest and a customer at the barber's: one is called, called back, called again, seated and served; the other is given a chair and does not come. */
async function walkIn(before: (step: Step) => Promise<void>) {
  const customerId = randomUUID();
  const [customer, owner] = await Promise.all([
    environment.system.tokens.token({ typ: 'customer', sub: customerId }),
    environment.system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [stores.cuts.id], name: people.bo.name }),
  ]);
  const ask = async (step: Step, path: string, token: string | null, body: object): Promise<Record<string, unknown>> => {
    await before(step);
    const url = `${environment.system.gatewayUrl}/api/v1/queue/${path}`;
    const call = { operation: `queue ${step}`, method: 'POST', url, body, key: randomUUID() } as const;
    const response = await callWithRetries(environment.history, token === null ? call : { ...call, token });
    expect({ step, status: response.status, body: response.body }).toMatchObject({ status: 200 });
    return response.body;
  };
  const look = async (query: Record<string, string>, token: string | null): Promise<Entry | null> => {
    const url = `${environment.system.gatewayUrl}/api/v1/queue/status?${new URLSearchParams(query)}`;
    const call = { operation: 'queue status', method: 'GET', url } as const;
    return (await callWithRetries(environment.history, token === null ? call : { ...call, token })).body.entry as Entry | null;
  };
  const move = async (step: Step, how: string, entryId: string) =>
    (await ask(step, `entries/${entryId}/${how}`, owner, { store_id })).entry as Entry;

  const guest = String((await ask('join as a guest', 'join', null, { store_id, guest_name: 'Dee' })).entry_id);
  const theirs = String((await ask('join', 'join', customer, { store_id })).entry_id);
  expect([await look({ entry_id: guest }, null), await look({ store_id }, customer)]).toMatchObject([
    { entry_id: guest, status: 'waiting', queue_position: 1 },
    { entry_id: theirs, status: 'waiting', queue_position: 2 },
  ]);
  await move('call', 'call', guest);
  expect(await look({ store_id }, customer)).toMatchObject({ queue_position: 1 });
  expect(await move('recall', 'recall', guest)).toMatchObject({ queue_position: 1 });
  expect(await look({ store_id }, customer)).toMatchObject({ queue_position: 2 });
  await move('call again', 'call', guest);
  await move('assign', 'assign', guest);
  await move('seat', 'assign', theirs);
  expect(await move('complete', 'complete', guest)).toMatchObject({ status: 'completed' });
  expect(await move('no-show', 'no-show', theirs)).toMatchObject({ status: 'no_show' });
  expect(await ask('leave', 'leave', null, { entry_id: guest })).toMatchObject({ status: 'completed', noop: true });
  expect(await look({ store_id }, customer)).toBeNull();
  return { guest, theirs };
}

/** What was told of an entry, in order, and whether it still keeps a chair. */
const told = async (entryId: string) =>
  (
    await database.query(
      `select (select array_agg(type order by id) from queue.outbox where aggregate_id = e.id::text) as types,
        (select count(*)::int from queue.seat s where s.entry_id = e.id and s.freed_at is null) as seats
       from queue.entry e where e.entry_id = $1`,
      [entryId],
    )
  ).rows[0];

async function walksTheSame(before: (step: Step) => Promise<void>) {
  const { guest, theirs } = await walkIn(before);
  const deeds = (...types: string[]) => types.map((type) => `queue.${type}`);
  expect(await told(guest)).toEqual({ types: deeds('joined', 'called', 'recalled', 'called', 'assigned', 'completed'), seats: 0 });
  expect(await told(theirs)).toEqual({ types: deeds('joined', 'assigned', 'no_show'), seats: 0 });
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
}

test('a guest and a customer walk in, through the gateway', async () => {
  await walksTheSame(async () => {});
});

test.each(steps)('kill -9 of queue before "%s" loses nothing and does nothing twice', async (at) => {
  let back: Promise<unknown> = Promise.resolve();
  await walksTheSame(async (step) => {
    if (step !== at) return;
    const process = environment.system.services.queue;
    process.kill();
    await process.exited;
    back = process.restart();
  });
  await back;
});
