import { randomUUID } from 'node:crypto';
import type { Envelope } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from './testing/running.ts';
import { bookingSnapshot, customerSnapshot, floorSnapshot, storeSnapshot } from './testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/**
 * Sends each event once the one before is processed, then all of them again. Events of one aggregate are processed in order, so when
 * `after` is processed the repeats are too.
 */
async function publishTwice(envelopes: readonly Envelope[]): Promise<void> {
  for (const envelope of envelopes) {
    await running.publish(envelope);
    await running.processed(envelope);
  }
  const last = envelopes.at(-1) as Envelope;
  const after = { ...last, id: randomUUID() };
  for (const envelope of [...envelopes, after]) await running.publish(envelope);
  await running.processed(after);
}

const orders = [
  ['in the order of their versions', [1, 2, 3]],
  ['in reverse order', [3, 2, 1]],
  ['in mixed order', [2, 3, 1]],
] as const;

describe.each(orders)('when snapshots arrive %s, and all of them a second time', (_, versions) => {
  test('the newest version of the store is kept', async () => {
    const id = randomUUID();
    await publishTwice(versions.map((version) => storeSnapshot(id, version)));
    const Row = z.object({ version: z.number(), name: z.string(), walk_ins_accepted: z.boolean(), called_hold_minutes: z.number() });
    expect(
      await running.service.database.many(sql.type(Row)`
        select version, name, walk_ins_accepted, called_hold_minutes from store where id = ${id}`),
    ).toEqual([{ version: 3, name: 'Version 3', walk_ins_accepted: false, called_hold_minutes: 3 }]);
  });

  test('the newest version of the floor is kept, with all its chairs', async () => {
    const storeId = randomUUID();
    await publishTwice(versions.map((version) => floorSnapshot(storeId, version)));
    const Row = z.object({ version: z.number(), chairs: z.number() });
    expect(
      await running.service.database.many(sql.type(Row)`
        select version, jsonb_array_length(units) as chairs from floor where store_id = ${storeId}`),
    ).toEqual([{ version: 3, chairs: 3 }]);
  });

  test('the newest name of the customer is kept', async () => {
    const id = randomUUID();
    await publishTwice(versions.map((version) => customerSnapshot(id, version)));
    const Row = z.object({ version: z.number(), name: z.string() });
    expect(await running.service.database.many(sql.type(Row)`select version, name from customer where id = ${id}`)).toEqual([
      { version: 3, name: 'Version 3' },
    ]);
  });

  test('the newest version of the booking is kept', async () => {
    const [id, storeId] = [randomUUID(), randomUUID()];
    await publishTwice(versions.map((version) => bookingSnapshot(id, storeId, version, version === 3 ? 'cancelled' : 'booked')));
    const Row = z.object({ version: z.number(), hour: z.number(), state: z.string() });
    expect(
      await running.service.database.many(sql.type(Row)`
        select version, extract(hour from starts_at at time zone 'utc')::int as hour, state from booking where id = ${id}`),
    ).toEqual([{ version: 3, hour: 3, state: 'cancelled' }]);
  });
});

test('a snapshot with the version that is kept already changes nothing', async () => {
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

test('ids of chairs and services are kept in lower case', async () => {
  const storeId = randomUUID();
  const floor = floorSnapshot(storeId, 1);
  await running.publish(floor);
  await running.processed(floor);
  const Row = z.object({ service: z.string(), offered: z.string() });
  const { service, offered } = await running.service.database.one(sql.type(Row)`
    select services -> 0 ->> 'id' as service, units -> 0 -> 'service_ids' ->> 0 as offered from floor where store_id = ${storeId}`);
  expect(service).toBe(service.toLowerCase());
  expect(offered).toBe(service);
});

test('an event that is delivered twice has its effect once', async () => {
  const id = randomUUID();
  const snapshot = storeSnapshot(id, 1);
  await running.publish(snapshot);
  await running.processed(snapshot);
  // Only a second effect could insert the row again.
  await running.service.database.query(sql.type(z.object({}))`delete from store where id = ${id}`);
  const after = storeSnapshot(id, 2);
  for (const envelope of [snapshot, { ...snapshot, data: { ...(snapshot.data as object), version: 9 } }, after])
    await running.publish(envelope);
  await running.processed(after);
  const version = sql.type(z.object({ version: z.number() }))`select version from store where id = ${id}`;
  expect(await running.service.database.oneFirst(version)).toBe(2);
});
