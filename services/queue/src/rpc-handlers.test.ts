import { randomUUID } from 'node:crypto';
import { queueGuest, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { eraseGuests } from './entry-points.ts';
import { type Running, startRunning } from './testing/running.ts';
import { openSalon, someCustomer } from './testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

const Reply = z.object({ output: z.object({ phone: z.string().nullable() }).optional(), problem: z.string().optional() });

async function ask(entry_ref: string): Promise<string | null | undefined> {
  const { broker } = await running.service.backbone;
  const reply = await broker.connection.request(broker.subject(rpcSubject(queueGuest)), JSON.stringify({ entry_ref }), {
    timeout: 60_000,
  });
  const { output, problem } = Reply.parse(reply.json());
  return problem ?? output?.phone;
}

describe('queue.guest:', () => {
  const phone = '+447700900123';

  const refOf = (entryId: string) =>
    running.service.database.oneFirst(sql.type(z.object({ id: z.string() }))`select id from entry where entry_id = ${entryId}`);

  test('the number is returned while the entry is active and for an hour after it ended, by the id that events carry only', async () => {
    const salon = await openSalon(running);
    const { entry_id } = (await salon.join({ guest_phone: phone })).body;
    const ref = await refOf(entry_id);
    expect(await ask(ref)).toBe(phone);
    expect(await ask(entry_id)).toBe('QUEUE_ENTRY_NOT_FOUND');
    await salon.leave(entry_id);
    running.clock.advance({ minutes: 59 });
    expect(await ask(ref)).toBe(phone);
    running.clock.advance({ minutes: 1 });
    expect(await ask(ref)).toBe('QUEUE_ENTRY_NOT_FOUND');
  });

  test('the number is null for a guest who gave none and for a customer, and an unknown entry is refused', async () => {
    const salon = await openSalon(running);
    const { token } = await someCustomer(running);
    for (const joined of [await salon.join(), await salon.join({ guest_phone: phone }, token)])
      expect(await ask(await refOf(joined.body.entry_id))).toBeNull();
    expect(await ask(randomUUID())).toBe('QUEUE_ENTRY_NOT_FOUND');
  });

  test('the number appears in no log line', () => {
    expect(JSON.stringify(running.lines)).not.toContain(phone);
  });
});

test('a guest’s name and phone number are erased a day after the entry ended, and no sooner', async () => {
  const salon = await openSalon(running, 2);
  const guest = { guest_name: 'Deirdre', guest_phone: '+447700900123' };
  const { entry_id } = (await salon.join(guest)).body;
  await salon.leave(entry_id);
  running.clock.set('2026-05-01T12:00:00Z');
  const later = (await salon.join(guest)).body.entry_id;
  await salon.leave(later);
  const namedEntries = () =>
    running.service.database.anyFirst(sql.type(z.object({ entry_id: z.string() }))`
      select entry_id from entry
      where store_id = ${salon.storeId} and (guest_name is not null or guest_phone is not null) order by joined_at`);
  running.clock.set('2026-05-02T10:59:59Z');
  await eraseGuests(running.service.context);
  expect(await namedEntries()).toEqual([entry_id, later]);
  running.clock.set('2026-05-02T11:00:00Z');
  await eraseGuests(running.service.context);
  expect(await namedEntries()).toEqual([later]);
});

test('a guest’s booking that no one marks gives their number for an hour after its end, and loses it and its address a day after', async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  const salon = await openSalon(running, 1, { bookings_accepted: true });
  const phone = '+447700900124';
  const wanted = { service_id: salon.cut, starts_at: '2026-05-01T12:00:00Z', guest_name: 'Deirdre', guest_phone: phone };
  expect((await salon.post('bookings', wanted, null, { 'x-forwarded-for': '192.0.2.7' })).status).toBe(200);
  const Row = z.object({ id: z.string(), guest_name: z.string().nullable(), guest_phone: z.string().nullable(), hashed: z.boolean() });
  const booking = () =>
    running.service.database.one(sql.type(Row)`
      select id, guest_name, guest_phone, address_hash is not null as hashed from session_booking where store_id = ${salon.storeId}`);
  const { id } = await booking();
  running.clock.set('2026-05-01T13:24:59Z');
  expect(await ask(id)).toBe(phone);
  running.clock.set('2026-05-01T13:25:00Z');
  expect(await ask(id)).toBe('QUEUE_ENTRY_NOT_FOUND');
  running.clock.set('2026-05-02T12:24:59Z');
  await eraseGuests(running.service.context);
  expect(await booking()).toEqual({ id, guest_name: 'Deirdre', guest_phone: phone, hashed: true });
  running.clock.set('2026-05-02T12:25:00Z');
  await eraseGuests(running.service.context);
  expect(await booking()).toEqual({ id, guest_name: null, guest_phone: null, hashed: false });
});

test('an entry’s id and a guest’s name and phone number appear in no log line and no event', async () => {
  const salon = await openSalon(running, 1);
  const { entry_id } = (await salon.join({ guest_name: 'Deirdre', guest_phone: '+447700900123' })).body;
  await salon.status({ entry_id });
  for (const move of ['call', 'recall', 'complete', 'assign']) await salon.move(move, entry_id);
  await salon.list();
  await salon.leave(entry_id);
  await salon.leave(entry_id);
  const outbox = await running.service.database.anyFirst(sql.type(z.object({ row: z.string() }))`
    select to_jsonb(o)::text as row from outbox o where store_id = ${salon.storeId}`);
  expect(outbox).toHaveLength(5);
  const written = [...outbox, ...running.lines.map((line) => JSON.stringify(line))].join('\n');
  expect(written).toContain('/api/v1/queue/entries/{entry_id}/call');
  for (const secret of [entry_id, 'Deirdre', '7700900123']) expect(written).not.toContain(secret);
});

test('an entry’s id is random, so it reveals neither its time nor its order, and events carry another id', async () => {
  const salon = await openSalon(running, 4);
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) ids.push((await salon.join()).body.entry_id);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(6);
  expect(ids.every((id) => id[14] === '4')).toBe(true);
  const eventIds = (await salon.published()).map(({ aggregate_id }) => aggregate_id);
  expect(eventIds.filter((id) => ids.includes(id))).toEqual([]);
});
