import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, openSalon, type Salon } from '../testing/salon.ts';

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

/** What each statement does, by its text. */
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

/** Sends a request and returns what its statements do. */
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

test('a status takes one statement, and a list of entries one', async () => {
  const id = await entryId();
  expect(await statementsOf(() => salon.status({ entry_id: id }))).toEqual(['read entry and queue']);
  const token = await running.issuer.token({ typ: 'customer', sub: '0190a000-0000-7000-8000-0000000000aa' });
  expect(await statementsOf(() => salon.status({ store_id: salon.storeId }, token))).toEqual(['read queue']);
  expect(await statementsOf(() => salon.list())).toEqual(['read queue']);
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

test('leaving takes four statements', async () => {
  const id = await entryId();
  expect(await statementsOf(() => salon.leave(id))).toEqual(['find entry', 'lock', 'read queue', 'update and publish']);
});
