import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endOverdue, eraseGuests } from '../entry-points.ts';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, cy, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

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

interface Row {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly detail: string | null;
  readonly by: { readonly id: string; readonly name: string | null } | null;
  readonly entry_id: string | null;
  readonly reopens_until: string | null;
}
const code = ({ status, body }: ApiResponse) => [status, body.error?.code];
const rows = async (query?: Record<string, string>) => (await salon.log(query)).body.entries as readonly Row[];
const lines = async (query?: Record<string, string>) => (await rows(query)).map(({ title, by }) => [title, by?.name ?? null]);

describe('the log of a queue', () => {
  test('says newest first what staff did and who did it, and what the owner did', async () => {
    const { entry_id } = (await salon.join({ guest_name: 'Dee' })).body;
    for (const move of ['call', 'recall', 'assign', 'complete', 'reopen', 'no-show'])
      await salon.move(move, entry_id, {}, await salon.staff());
    await salon.switchWalkIns({ open: false });
    await salon.add({ guest_name: 'Eve' });
    expect(await lines()).toEqual([
      ['Eve was added to the queue', 'Cy'],
      ['Walk-ins were switched off until Saturday 2 May at 00:00', 'Cy'],
      ['Dee was marked as a no-show', 'Cy'],
      ['Dee was brought back', 'Cy'],
      ['Dee was served', 'Cy'],
      ['Dee was given a chair', 'Cy'],
      ['The call of Dee was taken back', 'Cy'],
      ['Dee was called', 'Cy'],
      ['Dee joined the queue', null],
    ]);
    const [, off, noShow] = await rows();
    expect(off?.entry_id).toBeNull();
    expect(noShow).toMatchObject({ entry_id, by: cy, detail: null, at: '2026-05-01T11:00:00.000000Z' });
  });

  test('says what time ended, what a customer did, and the id of a caller whose token has no name', async () => {
    const guest = (await salon.join()).body.entry_id;
    const { token } = await someCustomer(running);
    await salon.join({ entry_id: guest }, token);
    const owner = await salon.owner();
    await salon.move('call', guest, {}, owner);
    running.clock.advance({ minutes: 5 });
    await endOverdue(running.service.context);
    const left = (await salon.join()).body.entry_id;
    await salon.leave(left);
    expect(await lines()).toEqual([
      ['A guest left the queue', null],
      ['A guest joined the queue', null],
      ['A customer was called and did not come in time', null],
      ['A customer was called', null],
      ['A customer signed in and kept the place', null],
      ['A customer joined the queue', null],
    ]);
    expect((await rows())[3]?.by?.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('says of the row that ended an entry until when that can be undone, and of no other', async () => {
    const { entry_id } = (await salon.join()).body;
    const until = async () => (await rows()).map((row) => row.reopens_until);
    await salon.move('assign', entry_id);
    await salon.move('complete', entry_id);
    expect(await until()).toEqual(['2026-05-01T11:10:00.000Z', null, null]);
    await salon.move('reopen', entry_id);
    await salon.move('complete', entry_id);
    expect(await until()).toEqual([null, null, null, null, null]);
    const left = (await salon.join()).body.entry_id;
    await salon.leave(left);
    expect((await until())[0]).toBeNull();
  });

  test('says of a move that is repeated that it was made once', async () => {
    const { entry_id } = (await salon.join()).body;
    await Promise.all([1, 2, 3].map(() => salon.move('call', entry_id)));
    expect(await lines()).toHaveLength(2);
  });

  test('names no guest whose details are erased', async () => {
    const { entry_id } = (await salon.join({ guest_name: 'Dee' })).body;
    await salon.leave(entry_id);
    running.clock.set('2026-05-02T11:00:00Z');
    await eraseGuests(running.service.context);
    expect((await rows()).map(({ title }) => title)).toEqual(['A guest left the queue', 'A guest joined the queue']);
  });
});

describe('pages', () => {
  test('follow each other without a gap or a repeat, also of rows of one instant', async () => {
    for (const _ of [1, 2, 3, 4, 5]) await salon.join();
    const all = (await rows()).map(({ id }) => id);
    const pages: string[] = [];
    for (let before: string | undefined; pages.length < 5; before = pages.at(-1))
      pages.push(...(await rows({ limit: '2', ...(before ? { before } : {}) })).map(({ id }) => id));
    expect(pages).toEqual(all);
    expect(await rows({ before: all.at(-1) as string })).toEqual([]);
  });

  test('of a day hold what was done on that day by the store’s clock', async () => {
    running.clock.set('2026-04-30T22:59:00Z');
    await salon.switchWalkIns({ open: false, until: null });
    running.clock.set('2026-04-30T23:00:00Z');
    await salon.switchWalkIns({ open: true });
    expect(await lines({ day: '2026-04-30' })).toEqual([['Walk-ins were switched off', 'Cy']]);
    expect(await lines({ day: '2026-05-01' })).toEqual([['Walk-ins were switched on', 'Cy']]);
    expect(await lines({ day: '2026-05-02' })).toEqual([]);
  });
});

describe('the log is refused', () => {
  test('for a row of another store as a cursor, which is an invalid one', async () => {
    const other = await openSalon(running);
    await other.join();
    const foreign = (await other.log()).body.entries[0].id;
    expect(code(await salon.log({ before: foreign }))).toEqual([400, 'INVALID_CURSOR']);
    expect(await rows()).toEqual([]);
  });

  test('for an unknown store, a day that is none, a cursor that is no id and a page that is too long', async () => {
    const unknown = randomUUID();
    const token = await running.issuer.token({ typ: 'staff', stores: [{ id: unknown, role: 'staff' }] });
    expect(code(await salon.log({ store_id: unknown }, token))).toEqual([404, 'STORE_NOT_FOUND']);
    for (const bad of [{ day: 'yesterday' }, { day: '2026-02-30' }, { before: 'x' }, { limit: '101' }])
      expect(code(await salon.log(bad))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('to guests, customers and the staff of another store', async () => {
    const other = await openSalon(running);
    const tokens = [null, await running.issuer.token({ typ: 'customer' }), await other.staff()];
    expect(await Promise.all(tokens.map(async (token) => code(await salon.log({}, token))))).toEqual([
      [401, 'UNAUTHENTICATED'],
      [403, 'WRONG_TOKEN_TYPE'],
      [403, 'STORE_FORBIDDEN'],
    ]);
  });
});
