import { randomUUID } from 'node:crypto';
import { queueGuest, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon, someCustomer } from '../testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

const phone = '+447700900123';
const Reply = z.object({ output: z.object({ phone: z.string().nullable() }).optional(), problem: z.string().optional() });

async function ask(entry_ref: string): Promise<string | null | undefined> {
  const { broker } = await running.service.backbone;
  const reply = await broker.connection.request(broker.subject(rpcSubject(queueGuest)), JSON.stringify({ entry_ref }), { timeout: 60_000 });
  const { output, problem } = Reply.parse(reply.json());
  return problem ?? output?.phone;
}
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
