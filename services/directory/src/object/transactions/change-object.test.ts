import { randomUUID } from 'node:crypto';
import { publish } from '@corner/chassis';
import { directoryStaff, type ObjectKind } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../../testing/running.ts';
import { type ApiResponse, openShop, type Sent, type Shop } from '../../testing/shop.ts';

let running: Running;
let shop: Shop;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  shop = await openShop(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const customerId = randomUUID();
const changes: Readonly<Record<ObjectKind, (n: number, sent?: Sent) => Promise<{ readonly id: string; readonly response: ApiResponse }>>> =
  {
    store: async (n, sent) => ({ id: shop.storeId, response: await shop.patch('', { name: `Name ${n}` }, sent) }),
    menu: async (n, sent) => ({
      id: shop.storeId,
      response: await shop.patch('/menu', { items: [{ id: 'tea', name: 'Tea', price_pence: n }] }, sent),
    }),
    slots: async (n, sent) => ({
      id: shop.storeId,
      response: await shop.patch('/slots', { template: [{ days: [1], from: '09:00', to: '17:00', every_minutes: 60, capacity: n }] }, sent),
    }),
    programme: async (n, sent) => ({ id: shop.storeId, response: await shop.patch('/programme', { goal: n + 1 }, sent) }),
    floor: async (n, sent) => ({
      id: shop.storeId,
      response: await shop.patch('/floor', { services: [{ id: shop.storeId, name: 'Cut', minutes: n + 1 }] }, sent),
    }),
    booking: async (n, sent) => {
      await shop.patch('/floor', { units: [{ id: customerId, name: 'Chair', service_ids: [] }] });
      const times = { starts_at: `2026-05-01T12:${10 + n}:00Z`, ends_at: '2026-05-01T13:00:00Z' };
      const response = await shop.post('/bookings', { unit_id: customerId, ...times }, sent);
      return { id: response.body.booking?.id, response };
    },
    customer: async (n, sent) => {
      const token = await running.issuer.token({ typ: 'customer', sub: customerId });
      return { id: customerId, response: await shop.patch('//me', { name: `Ana ${n} ${shop.storeId}` }, { ...sent, token }) };
    },
    staff: async (n, sent) => ({ id: shop.ownerId, response: await shop.patch(`/staff/${shop.ownerId}`, { name: `Bo ${n}` }, sent) }),
  };
const kinds = Object.keys(changes) as ObjectKind[];
const changeable = kinds.filter((kind) => kind !== 'booking');

describe.each(kinds)('a change of a %s', (kind) => {
  test('publishes one snapshot and writes one row of the log, and fifty repeats with one key are one', async () => {
    const key = randomUUID();
    const { id, response } = await changes[kind](1, { key });
    const before = { snapshots: (await shop.snapshots(kind, id)).length, changes: (await shop.changes(kind, id)).length };
    expect([response.status, before.snapshots]).toEqual([200, before.changes]);
    const repeats = await Promise.all(Array.from({ length: 50 }, () => changes[kind](1, { key })));
    for (const repeat of repeats) expect(repeat).toEqual({ id, response });
    expect((await shop.snapshots(kind, id)).length).toBe(before.snapshots);
    expect((await shop.changes(kind, id)).length).toBe(before.changes);
  });
});

describe.each(changeable)('changes of a %s', (kind) => {
  test('of two at once to one version, one is made and one gets VERSION_CONFLICT that names the version', async () => {
    const { id, response } = await changes[kind](1);
    const { version } = response.body;
    const both = await Promise.all([changes[kind](2, { match: version }), changes[kind](3, { match: version })]);
    expect(both.map((one) => one.response.status).toSorted()).toEqual([200, 412]);
    const refused = both.find((one) => one.response.status === 412)?.response.body.error;
    expect(refused).toMatchObject({ code: 'VERSION_CONFLICT', message: expect.stringContaining(`version ${version + 1} `) });
    const snapshots = await shop.snapshots(kind, id);
    expect(snapshots.map(({ sequence }) => sequence)).toEqual(snapshots.map((_, index) => index + 1));
  });

  test('that change nothing write nothing and publish nothing', async () => {
    const { id, response } = await changes[kind](4);
    const count = (await shop.snapshots(kind, id)).length;
    const again = await changes[kind](4);
    expect([again.response.status, again.response.body.version]).toEqual([200, response.body.version]);
    expect([(await shop.snapshots(kind, id)).length, (await shop.changes(kind, id)).length]).toEqual([count, count]);
  });

  test('need If-Match', async () => {
    expect((await changes[kind](1, { match: null })).response.body.error.code).toBe('VERSION_REQUIRED');
  });
});

test('two who make one object at once make it once: the first change of a menu by two people', async () => {
  const items = [1, 2].map((n) => ({ items: [{ id: `i${n}`, name: 'Tea', price_pence: n }] }));
  const both = await Promise.all(items.map((body) => shop.patch('/menu', body, { match: 0 })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
});

test('a repeat after a crash finds its own change: the key was released, and the version is the next one', async () => {
  const key = randomUUID();
  const first = await shop.patch('/menu', { items: [{ id: 'tea', name: 'Tea', price_pence: 1 }] }, { key, match: 0 });
  await running.service.database.query(sql.type(z.object({}))`delete from idempotency_key where key = ${key}`);
  const again = await shop.patch('/menu', { items: [{ id: 'tea', name: 'Tea', price_pence: 1 }] }, { key, match: 0 });
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(await shop.changes('menu')).toHaveLength(1);
});

test('a store that fails halfway is not there: its owner could not be published, so the store is not either', async () => {
  const sub = randomUUID();
  const data = { id: sub, version: 1, name: 'Ida', stores: [] };
  await running.service.database.transaction((tx) => publish(tx, directoryStaff, { aggregateId: sub, sequence: 1, data }));
  const code = randomUUID().slice(0, 8);
  const token = await running.issuer.token({ typ: 'merchant', sub, name: 'Ida' });
  const failed = await shop.post('//stores', { code, name: 'Half' }, { token });
  expect(failed.status).toBe(500);
  const left = await running.service.database.any(sql.type(z.object({ kind: z.string() }))`
    select kind from object where data ->> 'code' = ${code} or id = ${sub}
    union all select kind from change where by_id = ${sub}
    union all select type from outbox where data ->> 'code' = ${code}`);
  expect(left).toEqual([]);
});

test('personal values, tokens of cards and devices, and sessions are in no row of the log, no line and no refusal', async () => {
  const token = await running.issuer.token({ typ: 'customer', sub: randomUUID() });
  const secret = {
    name: 'Zebediah',
    email: 'zebediah@example.com',
    phone: '+447700900987',
    device: 'device-zebediah-1',
    card: 'card-zebediah-0123456789',
    session: 'session-zebediah',
    contact: 'contact-zebediah',
  };
  const device = { id: secret.device, platform: 'ios' };
  const { name, email, phone } = secret;
  await shop.patch('//me', { name, email, phone, push_devices: [device] }, { token });
  const twice = await shop.patch('//me', { name: 'x'.repeat(500), push_devices: [device, { ...device, platform: 'radio' }] }, { token });
  await shop.post('/staff', { id: customerId, name, role: 'staff', cards: [{ token_id: secret.card }] });
  await shop.patch(`/staff/${customerId}`, { revoke_cards: [secret.card], revoke_sessions: [secret.session] });
  await shop.patch('', { contacts: [{ name: secret.contact, email, push_devices: [device] }] });
  const rows = await running.service.database.any(
    sql.type(z.object({ row: z.string() }))`select to_jsonb(change)::text as row from change`,
  );
  const seen = JSON.stringify([rows, running.lines, (await shop.get('/log')).body, twice.body]);
  expect(twice.status).toBe(400);
  for (const value of Object.values(secret)) expect(seen).not.toContain(value);
});
