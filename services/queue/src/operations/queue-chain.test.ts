// covers: readQueueChain

import { randomUUID } from 'node:crypto';
import { joinLooks, type KeptHead, verifyQueue } from '@corner/contracts/verify-queue';
import { documentedCommands, runCommands, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readChain } from '../tables/log.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
let salon: Salon;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  salon = await openSalon(running, 1);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const join = async (more?: object, token?: string): Promise<string> => (await salon.join(more, token)).body.entry_id;
async function chain(entryId: string, after = 0, token?: string): Promise<ApiResponse> {
  const response = await fetch(`${running.service.url}/api/v1/queue/chain?entry_id=${entryId}&after=${after}`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  return { status: response.status, body: await response.json() };
}
const shown = async (entryId: string): Promise<KeptHead> => (await salon.status({ entry_id: entryId })).body.chain;
/** Returns the faults found by a phone that kept these earlier ends of the chain. */
const look = async (entryId: string, ...kept: readonly KeptHead[]) => await verifyQueue((await chain(entryId)).body, kept);

describe('the chain of a queue', () => {
  test('has a row for each join and move, whose end every phone is shown, and gives the positions that the queue shows', async () => {
    const [ana, bea, cid] = [await join(), await join({ party_size: 2 }), await join()];
    const first = await shown(cid);
    await salon.move('call', ana);
    await salon.move('recall', ana);
    await salon.move('call', bea);
    await salon.move('assign', bea);
    await salon.leave(ana);
    await salon.add({ guest_name: 'Dee' });
    const { body } = await chain(cid);
    const kinds = ['joined', 'joined', 'joined', 'called', 'recalled', 'called', 'assigned', 'left', 'joined'];
    expect(body.rows.map(({ number, kind }: { number: number; kind: string }) => [number, kind])).toEqual(
      kinds.map((kind, n) => [n + 1, kind]),
    );
    expect([first.number, body.head, await shown(cid)]).toEqual([3, await shown(cid), { number: 9, hash: body.rows[8].hash }]);
    expect(body.queue_position).toBe(1);
    expect(await verifyQueue(body, [first])).toEqual([]);
    expect((await chain(cid, 7)).body.rows).toEqual(body.rows.slice(7));
    expect(JSON.stringify(body)).not.toContain(ana);
  });

  test('fits when guests sign in, places are brought back, and times of closing end them', async () => {
    const ada = await someCustomer(running);
    const [place, other] = [await join(), await join()];
    await join({ entry_id: place }, ada.token);
    await salon.move('call', other);
    await salon.move('no-show', other);
    await salon.move('reopen', other);
    const { body } = await chain(place, 0, ada.token);
    expect(body.rows.map(({ kind }: { kind: string }) => kind)).toEqual(['joined', 'joined', 'claimed', 'called', 'no_show', 'reopened']);
    expect(await verifyQueue(body)).toEqual([]);
    running.clock.advance({ hours: 5, minutes: 40 });
    await join();
    const later = (await chain(place, 0, await running.issuer.token({ typ: 'customer', sub: ada.id }))).body;
    expect(await verifyQueue(later)).toEqual([]);
  });

  test('has no gap and no fork when many join at once, at two stores', async () => {
    const elsewhere = await openSalon(running, 1);
    const places = await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? elsewhere.join() : salon.join())));
    const own = places[1]?.body.entry_id as string;
    const { body } = await chain(own);
    expect(body.rows.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await verifyQueue(body)).toEqual([]);
  });

  test('is shown to those who have a place, and an unknown place, or a customer’s, is refused', async () => {
    const refusal = async (entryId: string) => (await chain(entryId)).body.error.code;
    expect(await refusal(randomUUID())).toBe('QUEUE_ENTRY_NOT_FOUND');
    const ada = await someCustomer(running);
    expect(await refusal(await join({}, ada.token))).toBe('QUEUE_ENTRY_NOT_FOUND');
    expect((await salon.status({ entry_id: randomUUID() })).body).toEqual({ entry: null, called_hold_minutes: 5 });
  });
});

describe('no one is accused', () => {
  test('when rows are read on from the end that was kept, and that end is compared with the first of them', async () => {
    const [ana, bea, cid] = [await join(), await join(), await join()];
    const kept = await shown(cid);
    expect([kept.number, await verifyQueue((await chain(cid, 3)).body, [kept])]).toEqual([3, []]);
    await salon.move('call', ana);
    const later = (await chain(cid, 3)).body;
    // The others joined before the first row that is here, and stand before this one.
    expect([later.rows.length, later.queue_position, await verifyQueue(later, [kept])]).toEqual([1, 2, []]);
    await salon.move('call', bea);
    await salon.move('recall', bea);
    const own = (await chain(bea, 4)).body;
    expect(await verifyQueue(own, [kept])).toEqual([
      { number: 3, why: 'the rows begin after the end that you were shown: read them with after=3' },
    ]);
    const another = { number: 3, hash: 'f'.repeat(64) };
    expect(await verifyQueue(later, [another])).toEqual([
      { number: 4, why: 'this row does not follow the end that you were shown before it' },
    ]);
    expect(await verifyQueue((await chain(cid, 3)).body, [kept])).toEqual([]);
  });

  test('when rows take several pages: one says what is missing, all of them fit', async () => {
    const [ana, , cid] = [await join(), await join(), await join()];
    await salon.move('call', ana);
    const all = (await chain(cid)).body;
    const [first, last] = [{ ...all, rows: all.rows.slice(0, 2) }, (await chain(cid, 2)).body];
    expect(await verifyQueue(first)).toEqual([{ number: 3, why: 'rows 3 to 4 are not here: read them with after=2' }]);
    expect(await verifyQueue(joinLooks(first, last))).toEqual([]);
  });

  test('when someone joins while the chain is read: the rows end where the queue was read', async () => {
    const own = await join();
    // A join may come between reading the queue and reading its rows; both must show one moment all the same.
    const looks = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => (n % 3 === 0 ? (await salon.join()) && [] : await verifyQueue((await chain(own)).body))),
    );
    expect(looks.flat()).toEqual([]);
  });

  test('when places were taken before the chain, or by an older version, whose rows have no number, on its first day', async () => {
    const [, bea] = [await join(), await join()];
    const unnumbered = (n: number) => `update log_entry set number = null, hash = null, status = null, place = null
      where store_id = '${salon.storeId}' and number = ${n}`;
    await running.asSuperuser(`set session_replication_role = replica; ${unnumbered(1)}; ${unnumbered(2)}`);
    const cid = await join();
    await salon.move('call', bea);
    await salon.move('recall', bea);
    const look = (await chain(cid)).body;
    expect(look.waiting).toMatchObject([{ before_chain: true }, { before_chain: true }, {}]);
    expect([look.queue_position, await verifyQueue(look)]).toEqual([3, []]);
    // From the second day on there are no such places: one without a row is a fault.
    expect(
      await verifyQueue({
        ...look,
        rows: look.rows.slice(1),
        waiting: [...look.waiting, { entry_ref: 'x', place: '2026-05-02T00:00:00Z' }],
      }),
    ).toEqual([{ number: null, why: 'the queue has one who waits and never joined' }]);
  });
});

describe('one who jumps the queue by SQL is seen at the next look', () => {
  const first = `(select id from entry where store_id = :store order by joined_at limit 1)`;
  const last = `(select id from entry where store_id = :store order by joined_at desc limit 1)`;
  test.each<[string, string, number | null, string]>([
    [
      'the last is put before the first',
      `update entry set joined_at = joined_at - interval '1 hour' where id = ${last}`,
      4,
      'was moved to 2026-05-01T10:',
    ],
    [
      'the first is put behind',
      `update entry set joined_at = joined_at + interval '1 hour' where id = ${first}`,
      1,
      'was moved to 2026-05-01T12:',
    ],
    ['one is taken out', `delete from entry where id = ${first}`, 1, 'after this one waits, and the queue does not have it'],
    [
      'one is called by no one',
      `update entry set status = 'called', hold_until = now() where id = ${first}`,
      1,
      'after this one waits, and the queue does not have it',
    ],
    [
      'one who never joined is put in',
      `insert into entry (id, entry_id, store_id, party_size, status, joined_at, quoted_wait_min) values (gen_random_uuid(), gen_random_uuid(), :store, 1, 'waiting', '2026-05-01T11:30:00Z', 0)`,
      null,
      'one who waits and never joined',
    ],
    [
      'a row gets another place',
      `update log_entry set place = place - interval '1 hour' where store_id = :store and number = 4`,
      4,
      'is not as it was written',
    ],
    [
      'a row gets another kind',
      `update log_entry set kind = 'left', status = 'left' where store_id = :store and number = 1`,
      1,
      'is not as it was written',
    ],
    [
      'a row is of another place',
      `update log_entry set entry_ref = ${last} where store_id = :store and number = 1`,
      1,
      'is not as it was written',
    ],
    ['a row is removed', `delete from log_entry where store_id = :store and number = 2`, 2, 'this row is missing'],
    ['the end is cut', `delete from log_entry where store_id = :store and number = 4`, 4, 'the end was cut'],
    [
      'rows change places',
      `update log_entry set number = -1 where store_id = :store and number = 1; update log_entry set number = 1 where store_id = :store and number = 2; update log_entry set number = 2 where store_id = :store and number = -1`,
      1,
      'is not as it was written',
    ],
    ['all of it is removed', `update log_entry set number = null where store_id = :store`, 4, 'the end was cut'],
  ])('%s', async (_, text, number, why) => {
    const [, , own] = [await join(), await join(), await join()];
    await join();
    const kept = await shown(own);
    expect(await look(own, kept)).toEqual([]);
    await running.asSuperuser(`set session_replication_role = replica; ${text.replaceAll(':store', `'${salon.storeId}'`)}`);
    expect(await look(own, kept)).toContainEqual({ number, why: expect.stringContaining(why) });
  });

  test('one who is put in before the first row of the last day is seen, since the rows begin with the one before', async () => {
    for (let n = 0; n < 3; n += 1) {
      await join();
      running.clock.advance({ minutes: 10 });
    }
    const { storeId } = salon;
    const since = new Date('2026-05-01T11:15:00Z');
    const rows = await readChain(running.service.database, { storeId, after: 0, upTo: 3, since, limit: 10 });
    expect(rows.map(({ number }) => number)).toEqual([2, 3]);
    const queued = { entry_ref: 'x', queue_position: null, head: rows.at(-1) ?? null, rows: [...rows] };
    const waiting = rows.map(({ entry_ref, place }) => ({ entry_ref, place }));
    const putIn = { entry_ref: 'x', place: '2026-05-01T11:16:00.000000Z' };
    expect(await verifyQueue({ ...queued, waiting: [...waiting, putIn] })).toEqual([
      { number: null, why: 'the queue has one who waits and never joined' },
    ]);
  });

  test('who writes entry and chain anew, with hashes that fit, is seen by the end that a phone kept; the position that the rule gives is said', async () => {
    const own = await join();
    await join();
    const kept = await shown(own);
    await running.asSuperuser(`set session_replication_role = replica;
      update entry set joined_at = joined_at - interval '1 hour' where id = ${last.replace(':store', `'${salon.storeId}'`)};`);
    expect(await look(own, kept)).toContainEqual({ number: null, why: 'the queue shows position 2, and the rule gives 1' });
    await running.asSuperuser(`set session_replication_role = replica;
      update log_entry set place = place - interval '1 hour' where store_id = '${salon.storeId}' and number = 2;
      update log_entry l set hash = sha256((select hash from log_entry b where b.store_id = l.store_id and b.number = 1) || convert_to(concat_ws(' ', l.number, l.entry_ref, l.kind, l.status,
        to_char(l.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), to_char(l.place at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), 'utf8'))
      where l.store_id = '${salon.storeId}' and l.number = 2`);
    expect(await look(own)).toEqual([{ number: 2, why: 'this one joined before 1 who were there already' }]);
    expect(await look(own, kept)).toContainEqual({ number: 2, why: 'you were shown another end here: rows were written anew' });
  });
});

test('a stranger follows docs/proofs.md: the commands verify the queue, and say who was put before', async () => {
  const [PLACE] = [await join(), await join()];
  await using folder = await testFolder();
  const [kept = '', verified = ''] = documentedCommands('docs/proofs.md', 'A queue that no one jumps unseen');
  const run = (text: string) => runCommands(text, folder.path, { GATEWAY: running.service.url, PLACE });
  await run(kept);
  await join();
  expect(await run(verified)).toEqual([expect.stringContaining('ok  3 changes, position 1, as the rule gives it'), 0]);
  await running.asSuperuser(`update entry set joined_at = joined_at - interval '1 hour' where store_id = '${salon.storeId}' and id =
    (select entry_ref from log_entry where store_id = '${salon.storeId}' and number = 3)`);
  expect(await run(verified)).toEqual([
    expect.stringMatching(/row 3: this one was moved.*the queue shows position 2, and the rule gives 1/s),
    1,
  ]);
});
