import { randomUUID } from 'node:crypto';
import { queue } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { operations } from './service.ts';
import { explainEntries, explainEntriesOf } from './tables/explain-entries.ts';
import { type Running, startRunning } from './testing/running.ts';
import { type ApiResponse, openSalon, type Salon } from './testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test.each(['/livez', '/readyz'])('%s returns 200 and the service’s name', async (path) => {
  const response = await until(
    async () => {
      const attempt = await fetch(`${running.service.url}${path}`);
      return attempt.ok && attempt;
    },
    { describe: `${path} to return 200` },
  );
  expect(await response.json()).toMatchObject({ service: 'queue' });
});

test('the service has a handler for every operation of its contract and no other', () => {
  expect(Object.keys(operations).sort()).toEqual(Object.keys(queue).sort());
});

describe('statements:', () => {
  let salon: Salon;
  beforeEach(async () => {
    running.clock.set('2026-05-01T11:00:00Z');
    salon = await openSalon(running);
  });

  const kinds: readonly (readonly [string, RegExp])[] = [
    ['lock', /from floor .* for no key update/],
    ['insert and publish', /into outbox.*insert into entry/s],
    ['update and publish', /into outbox.*update entry/s],
    ['seat', /insert into seat/],
    ['read entry and queue', /as entry,.*as snapshot/s],
    ['read queue', /as abandoned_ids/],
    ['find entry', /from entry e where e.entry_id/],
    ['publish', /into outbox/],
    ['other', /./],
  ];

  async function statementsOf(send: () => Promise<ApiResponse>): Promise<readonly (string | undefined)[]> {
    running.statements.length = 0;
    expect((await send()).status).toBe(200);
    return running.statements.map((text) => kinds.find(([, pattern]) => pattern.test(text))?.[0]);
  }

  const entryId = async () => (await salon.join()).body.entry_id as string;

  const move = ['lock', 'read queue', 'update and publish', 'read queue'];

  test('a join takes three statements', async () => {
    expect(await statementsOf(() => salon.join())).toEqual(['lock', 'read queue', 'insert and publish']);
  });

  test('a status takes one statement, a list of entries one, and a read before joining two', async () => {
    const id = await entryId();
    expect(await statementsOf(() => salon.status({ entry_id: id }))).toEqual(['read entry and queue']);
    const token = await running.issuer.token({ typ: 'customer', sub: '0190a000-0000-7000-8000-0000000000aa' });
    expect(await statementsOf(() => salon.status({ store_id: salon.storeId }, token))).toEqual(['read queue']);
    expect(await statementsOf(() => salon.list())).toEqual(['read queue']);
    expect(await statementsOf(() => salon.before())).toEqual(['read queue', 'other']);
  });

  test('each move of the staff takes four statements, and one that seats a party five', async () => {
    const [called, served, converted] = [await entryId(), await entryId(), await entryId()];
    expect(await statementsOf(() => salon.move('call', called))).toEqual(move);
    expect(await statementsOf(() => salon.move('recall', called))).toEqual(move);
    await salon.move('call', called);
    expect(await statementsOf(() => salon.move('no-show', called))).toEqual(move);
    expect(await statementsOf(() => salon.move('assign', served))).toEqual([
      'lock',
      'read queue',
      'seat',
      'update and publish',
      'read queue',
    ]);
    expect(await statementsOf(() => salon.move('complete', served))).toEqual(move);
    expect(await statementsOf(() => salon.move('convert', converted))).toEqual(move);
  });

  test('an added walk-in takes four statements, an end that is undone five or six, a switch of walk-ins four, and the log one', async () => {
    const read = ['lock', 'read queue'];
    expect(await statementsOf(() => salon.add())).toEqual([...read, 'insert and publish', 'read queue']);
    const [called, served] = [await entryId(), await entryId()];
    for (const step of ['call', 'no-show']) await salon.move(step, called);
    for (const step of ['assign', 'complete']) await salon.move(step, served);
    expect(await statementsOf(() => salon.move('reopen', called))).toEqual([...read, 'find entry', 'update and publish', 'read queue']);
    expect(await statementsOf(() => salon.move('reopen', served))).toEqual([
      ...read,
      'find entry',
      'other',
      'update and publish',
      'read queue',
    ]);
    expect(await statementsOf(() => salon.switchWalkIns({ open: false }))).toEqual([...read, 'other', 'read queue']);
    expect(await statementsOf(() => salon.log())).toEqual(['other']);
  });

  test('leaving takes four statements', async () => {
    const id = await entryId();
    expect(await statementsOf(() => salon.leave(id))).toEqual(['find entry', 'lock', 'read queue', 'update and publish']);
  });
});

describe('explain:', () => {
  let salon: Salon;
  beforeAll(async () => {
    salon = await openSalon(running);
  });

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
      {
        of: ref,
        store_id: own.storeId,
        customer_id: customerId,
        sentence: expect.stringMatching(`^Customer ${customerId} joined the queue of store ${own.storeId}`),
      },
    ]);
    expect(also).toEqual([]);
    expect(await explainEntriesOf(running.service.database, [own.storeId])).toEqual({ facts, also });
    expect(JSON.stringify(facts)).not.toContain(entryId);
  });

  test('an unknown id has no story', async () => {
    const ids = [randomUUID(), "'; drop"];
    for (const find of [explainEntries, explainEntriesOf])
      expect(await find(running.service.database, ids)).toEqual({ facts: [], also: [] });
  });
});
