import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, cy, openSalon, type Salon } from '../testing/salon.ts';

let running: Running;
let salon: Salon;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  salon = await openSalon(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const code = ({ status, body }: ApiResponse) => [status, body.error?.code];

test('staff add a walk-in with a name, a phone number, a service and a chair, behind everyone else', async () => {
  await salon.join();
  const response = await salon.add({
    guest_name: 'Dee',
    guest_phone: '+447700900003',
    party_size: 2,
    service_id: salon.beard,
    chair_id: salon.chairs[1],
  });
  expect([response.status, response.body.entry]).toMatchObject([
    200,
    {
      guest_name: 'Dee',
      guest_phone: '+447700900003',
      party_size: 2,
      service_id: salon.beard,
      preferred_unit_id: salon.chairs[1],
      customer_id: null,
      status: 'waiting',
      queue_position: 2,
      by: cy,
    },
  ]);
  expect((await salon.published()).map(({ type, data }) => [type, data.position, data.by_id])).toEqual([
    ['queue.joined', 1, null],
    ['queue.joined', 2, cy.id],
  ]);
  expect((await salon.status({ entry_id: response.body.entry.entry_id })).body.entry).toMatchObject({
    guest_name: 'Dee',
    queue_position: 2,
  });
});

test('a walk-in without a name is called Guest and takes any chair', async () => {
  expect((await salon.add()).body.entry).toMatchObject({
    guest_name: 'Guest',
    party_size: 1,
    preferred_unit_id: null,
    suggested_unit_id: salon.chairs[0],
  });
});

test('a repeat with the same Idempotency-Key adds one walk-in; two members of staff with one key add two', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const [first, second, third] = [
    await salon.add({}, undefined, headers),
    await salon.add({}, undefined, headers),
    await salon.add({}, await salon.owner(), headers),
  ];
  expect(second.body).toEqual(first.body);
  expect(third.body.entry.entry_id).not.toBe(first.body.entry.entry_id);
  expect((await salon.list()).body.entries).toHaveLength(2);
});

test('six that are added at once get six positions', async () => {
  const added = await Promise.all(Array.from({ length: 6 }, () => salon.add()));
  expect(added.map(({ body }) => body.entry.queue_position).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
});

describe('a walk-in can be added', () => {
  test('while walk-ins are switched off, and while the store is paused', async () => {
    await salon.switchWalkIns({ open: false });
    expect((await salon.add()).status).toBe(200);
    await salon.setStore({ paused_until: '2026-05-01T12:00:00Z' });
    expect((await salon.add()).status).toBe(200);
  });
});

describe('a walk-in is refused', () => {
  test('at an unknown store, and at one that takes no walk-ins at all', async () => {
    const unknown = randomUUID();
    const token = await running.issuer.token({ typ: 'staff', stores: [{ id: unknown, role: 'staff' }] });
    expect(code(await salon.add({ store_id: unknown }, token))).toEqual([404, 'STORE_NOT_FOUND']);
    await salon.setStore({ walk_ins_accepted: false });
    expect(code(await salon.add())).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
  });

  test('for a service that the store does not have', async () => {
    expect(code(await salon.add({ service_id: randomUUID() }))).toEqual([422, 'SERVICE_NOT_FOUND']);
  });

  test('for a chair that the store does not have, that does not offer the service or that has no shift left', async () => {
    const shift = { shifts: [{ starts_at: '2026-05-01T09:00:00Z', ends_at: '2026-05-01T11:00:00Z' }] };
    const other = await openSalon(running, 3, {}, { units: [{}, { service_ids: [] }, shift] });
    expect(code(await other.add({ chair_id: salon.chairs[0] }))).toEqual([422, 'UNIT_NOT_FOUND']);
    expect(code(await other.add({ chair_id: other.chairs[1] }))).toEqual([422, 'UNIT_NOT_FOUND']);
    expect(code(await other.add({ chair_id: other.chairs[2] }))).toEqual([409, 'NO_CAPACITY_TODAY']);
    expect((await other.add({ chair_id: other.chairs[0]?.toUpperCase() })).status).toBe(200);
    expect(await other.published()).toHaveLength(1);
  });

  test('when the day has no room left', async () => {
    running.clock.set('2026-05-01T17:00:00Z');
    expect(code(await salon.add())).toEqual([409, 'NO_CAPACITY_TODAY']);
  });

  test('with a party that is too large, a phone number that is none, and no store', async () => {
    for (const bad of [{ party_size: 9 }, { guest_phone: '0770' }, { guest_name: ' ' }, { store_id: null }])
      expect(code(await salon.add(bad))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('to guests, customers and the staff of another store', async () => {
    const other = await openSalon(running);
    const tokens = [null, await running.issuer.token({ typ: 'customer' }), await other.staff()];
    expect(await Promise.all(tokens.map(async (token) => code(await salon.add({}, token))))).toEqual([
      [401, 'UNAUTHENTICATED'],
      [403, 'WRONG_TOKEN_TYPE'],
      [403, 'STORE_FORBIDDEN'],
    ]);
    expect(await salon.published()).toEqual([]);
  });
});
