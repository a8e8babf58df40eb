import { randomUUID } from 'node:crypto';
import { people, stores } from '@corner/sandbox/demo';
import { expect } from '@jest/globals';
import { callApi } from './call-api.ts';
import { checkAtRest } from './checker.ts';
import { callWithRetries } from './recording-client.ts';
import { onDatabase } from './settled.ts';
import type { TestEnvironment } from './test-environment.ts';

const store_id = stores.cuts.id;
const steps = ['join as a guest', 'join', 'call', 'recall', 'call again', 'assign', 'seat', 'complete', 'no-show', 'leave'] as const;
type Step = (typeof steps)[number];

interface Entry {
  readonly entry_id: string;
  readonly status: string;
  readonly queue_position: number | null;
}

async function runQueueScenario(environment: TestEnvironment, beforeStep: (step: Step) => Promise<void>) {
  const customerId = randomUUID();
  const [customer, owner] = await Promise.all([
    environment.system.tokens.token({ typ: 'customer', sub: customerId }),
    environment.system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [stores.cuts.id], name: people.bo.name }),
  ]);
  const post = async (step: Step, path: string, token: string | null, body: object): Promise<Record<string, unknown>> => {
    await beforeStep(step);
    const url = `${environment.system.gatewayUrl}/api/v1/queue/${path}`;
    const call = { operation: `queue ${step}`, method: 'POST', url, body, key: randomUUID() } as const;
    const response = await callWithRetries(environment.history, token === null ? call : { ...call, token });
    expect({ step, status: response.status, body: response.body }).toMatchObject({ status: 200 });
    return response.body;
  };
  const readStatus = async (query: Record<string, string>, token: string | null): Promise<Entry | null> => {
    const url = `${environment.system.gatewayUrl}/api/v1/queue/status?${new URLSearchParams(query)}`;
    const call = { operation: 'queue status', method: 'GET', url } as const;
    return (await callWithRetries(environment.history, token === null ? call : { ...call, token })).body.entry as Entry | null;
  };
  const move = async (step: Step, action: string, entryId: string) =>
    (await post(step, `entries/${entryId}/${action}`, owner, { store_id })).entry as Entry;

  const guest = String((await post('join as a guest', 'join', null, { store_id, guest_name: 'Dee' })).entry_id);
  const customerEntry = String((await post('join', 'join', customer, { store_id })).entry_id);
  expect([await readStatus({ entry_id: guest }, null), await readStatus({ store_id }, customer)]).toMatchObject([
    { entry_id: guest, status: 'waiting', queue_position: 1 },
    { entry_id: customerEntry, status: 'waiting', queue_position: 2 },
  ]);
  await move('call', 'call', guest);
  expect(await readStatus({ store_id }, customer)).toMatchObject({ queue_position: 1 });
  expect(await move('recall', 'recall', guest)).toMatchObject({ queue_position: 1 });
  expect(await readStatus({ store_id }, customer)).toMatchObject({ queue_position: 2 });
  await move('call again', 'call', guest);
  await move('assign', 'assign', guest);
  await move('seat', 'assign', customerEntry);
  expect(await move('complete', 'complete', guest)).toMatchObject({ status: 'completed' });
  expect(await move('no-show', 'no-show', customerEntry)).toMatchObject({ status: 'no_show' });
  expect(await post('leave', 'leave', null, { entry_id: guest })).toMatchObject({ status: 'completed', noop: true });
  expect(await readStatus({ store_id }, customer)).toBeNull();
  return { guest, customerEntry };
}

const eventsAndSeats = async (environment: TestEnvironment, entryId: string) =>
  await onDatabase(environment, async (database) => {
    const { rows } = await database.query(
      `select (select array_agg(type order by id) from queue.outbox where aggregate_id = e.id::text) as types,
        (select count(*)::int from queue.seat s where s.entry_ref = e.id and s.freed_at is null) as seats
       from queue.entry e where e.entry_id = $1`,
      [entryId],
    );
    return rows[0];
  });

export async function expectUsualCourse(environment: TestEnvironment, beforeStep: (step: Step) => Promise<void> = async () => {}) {
  const { guest, customerEntry } = await runQueueScenario(environment, beforeStep);
  const queueEvents = (...types: string[]) => types.map((type) => `queue.${type}`);
  expect(await eventsAndSeats(environment, guest)).toEqual({
    types: queueEvents('joined', 'called', 'recalled', 'called', 'assigned', 'completed'),
    seats: 0,
  });
  expect(await eventsAndSeats(environment, customerEntry)).toEqual({ types: queueEvents('joined', 'assigned', 'no_show'), seats: 0 });
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
}

/** Files that share a platform expect the queue empty. */
export async function emptyQueue(environment: TestEnvironment): Promise<void> {
  const inQueue = await onDatabase(environment, async (database) => {
    const active = ['waiting', 'called', 'assigned'];
    const text = 'select entry_id from queue.entry where store_id = $1 and customer_id is null and status = any($2)';
    return (await database.query<{ entry_id: string }>(text, [store_id, active])).rows;
  });
  for (const { entry_id } of inQueue) await callApi(environment.system, 'POST', '/queue/leave', null, { entry_id });
}
