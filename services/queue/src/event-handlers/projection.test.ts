import { randomUUID } from 'node:crypto';
import type { Envelope } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { bookingSnapshot, floorSnapshot, storeSnapshot } from '../testing/snapshots.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** Tells the events in this order, each worked through before the next, and the whole series a second time. */
async function tellTwice(envelopes: readonly Envelope[]): Promise<void> {
  for (const envelope of envelopes) {
    await running.publish(envelope);
    await running.processed(envelope);
  }
  const last = envelopes.at(-1) as Envelope;
  const after = { ...last, id: randomUUID() };
  for (const envelope of [...envelopes, after]) await running.publish(envelope);
  // Events of one aggregate are worked through one after another: what stands behind the repeats comes after them.
  await running.processed(after);
}

const orders = [
  ['in order', [1, 2, 3]],
  ['in reverse', [3, 2, 1]],
  ['mixed', [2, 3, 1]],
] as const;

describe.each(orders)('snapshots that come %s, and all of them again', (_, versions) => {
  test('leave the newest store', async () => {
    const id = randomUUID();
    await tellTwice(versions.map((version) => storeSnapshot(id, version)));
    const Kept = z.object({ version: z.number(), name: z.string(), walk_ins_accepted: z.boolean(), called_hold_minutes: z.number() });
    expect(
      await running.service.database.many(sql.type(Kept)`
        select version, name, walk_ins_accepted, called_hold_minutes from store where id = ${id}`),
    ).toEqual([{ version: 3, name: 'Version 3', walk_ins_accepted: false, called_hold_minutes: 3 }]);
  });

  test('leave the newest floor, whole', async () => {
    const storeId = randomUUID();
    await tellTwice(versions.map((version) => floorSnapshot(storeId, version)));
    const Kept = z.object({ version: z.number(), chairs: z.number() });
    expect(
      await running.service.database.many(sql.type(Kept)`
        select version, jsonb_array_length(units) as chairs from floor where store_id = ${storeId}`),
    ).toEqual([{ version: 3, chairs: 3 }]);
  });

  test('leave the newest booking', async () => {
    const [id, storeId] = [randomUUID(), randomUUID()];
    await tellTwice(versions.map((version) => bookingSnapshot(id, storeId, version, version === 3 ? 'cancelled' : 'booked')));
    const Kept = z.object({ version: z.number(), hour: z.number(), state: z.string() });
    expect(
      await running.service.database.many(sql.type(Kept)`
        select version, extract(hour from starts_at at time zone 'utc')::int as hour, state from booking where id = ${id}`),
    ).toEqual([{ version: 3, hour: 3, state: 'cancelled' }]);
  });
});

test('a snapshot of the version that is kept already changes nothing', async () => {
  const id = randomUUID();
  const first = storeSnapshot(id, 4);
  const second = { ...storeSnapshot(id, 4), data: { ...(first.data as object), name: 'Another' } };
  for (const envelope of [first, second]) {
    await running.publish(envelope);
    await running.processed(envelope);
  }
  const name = sql.type(z.object({ name: z.string() }))`select name from store where id = ${id}`;
  expect(await running.service.database.oneFirst(name)).toBe('Version 4');
});

test('ids of chairs and services are kept in one spelling', async () => {
  const storeId = randomUUID();
  const floor = floorSnapshot(storeId, 1);
  await running.publish(floor);
  await running.processed(floor);
  const Kept = z.object({ service: z.string(), able: z.string() });
  const { service, able } = await running.service.database.one(sql.type(Kept)`
    select services -> 0 ->> 'id' as service, units -> 0 -> 'service_ids' ->> 0 as able from floor where store_id = ${storeId}`);
  expect(service).toBe(service.toLowerCase());
  expect(able).toBe(service);
});

test('an event delivered again has its effect once', async () => {
  const id = randomUUID();
  const snapshot = storeSnapshot(id, 1);
  await running.publish(snapshot);
  await running.processed(snapshot);
  // Only a second effect could bring this back.
  await running.service.database.query(sql.type(z.object({}))`delete from store where id = ${id}`);
  const after = storeSnapshot(id, 2);
  for (const envelope of [snapshot, { ...snapshot, data: { ...(snapshot.data as object), version: 9 } }, after])
    await running.publish(envelope);
  await running.processed(after);
  const version = sql.type(z.object({ version: z.number() }))`select version from store where id = ${id}`;
  expect(await running.service.database.oneFirst(version)).toBe(2);
});
