import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon, type Salon } from '../testing/salon.ts';
import { explainEntries, explainEntriesOf } from './explain-entries.ts';

let running: Running;
let salon: Salon;
beforeAll(async () => {
  running = await startRunning();
  salon = await openSalon(running);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const explained = (...ids: readonly string[]) => explainEntries(running.service.database, ids);
const refOf = (entryId: string) =>
  running.service.database.oneFirst(sql.type(z.object({ id: z.string() }))`select id from entry where entry_id = ${entryId}`);

test('an entry’s story is found by the id that events carry, by the one its guest has, and by its appointment, is in order of time and does not name the guest', async () => {
  const { body } = await salon.join({ guest_name: 'Dee' });
  const entryId = body.entry_id as string;
  running.clock.advance({ minutes: 1 });
  await salon.move('call', entryId);
  const ref = await refOf(entryId);
  expect((await explained(ref)).facts.at(-1)?.sentence).toMatch(/^The entry was called, and held until 11:\d\d:00\.$/);
  running.clock.advance({ minutes: 1 });
  const { entry } = (await salon.move('assign', entryId)).body;
  running.clock.advance({ minutes: 20 });
  await salon.move('complete', entryId);
  const { facts, also } = await explained(ref);
  expect(facts.map(({ at, sentence }) => `${at.slice(11, 16)} ${sentence}`)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^11:00 A guest joined the queue of store ${salon.storeId}, a party of 1, with a quoted wait of \\d+ minutes; the entry is now completed\\.$`,
      ),
    ),
    '11:01 The entry was called.',
    `11:02 A chair (${salon.chairs[0]}) was given to the entry as appointment ${entry.appointment_id}.`,
    '11:22 The entry ended: completed.',
  ]);
  expect(also).toEqual([ref]);
  expect(facts.map(({ of }) => of)).toEqual([ref, ref, ref, ref]);
  for (const id of [entry.appointment_id, entryId]) expect(await explained(id)).toEqual({ facts, also });
  for (const hidden of ['Dee', entryId]) expect(JSON.stringify(facts)).not.toContain(hidden);
});

test('of a customer and of a store the entries are found, each with the id under which its story is', async () => {
  const own = await openSalon(running);
  const customerId = randomUUID();
  const token = await running.issuer.token({ typ: 'customer', sub: customerId });
  const entryId = (await own.join({}, token)).body.entry_id as string;
  const ref = await refOf(entryId);
  const { facts, also } = await explainEntriesOf(running.service.database, [customerId]);
  expect(facts).toMatchObject([
    { of: ref, sentence: expect.stringMatching(`^Customer ${customerId} joined the queue of store ${own.storeId}`) },
  ]);
  expect(also).toEqual([]);
  expect(await explainEntriesOf(running.service.database, [own.storeId])).toEqual({ facts, also });
  expect(JSON.stringify(facts)).not.toContain(entryId);
});

test('an unknown id has no story', async () => {
  const ids = [randomUUID(), "'; drop"];
  for (const find of [explainEntries, explainEntriesOf]) expect(await find(running.service.database, ids)).toEqual({ facts: [], also: [] });
});
