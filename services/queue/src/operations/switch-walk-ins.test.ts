import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, cy, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
let salon: Salon;
const daily = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, opens: '09:00', closes: '17:00' }));
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  salon = await openSalon(running, 2, { hours: daily });
});
afterAll(async () => await running[Symbol.asyncDispose]());

const code = ({ status, body }: ApiResponse) => [status, body.error?.code];
const refusal = ({ status, body }: ApiResponse) => [status, body.error?.code, body.error?.message];
const open = { open: true, until: null, reason: null, by: null };
const titles = async () => (await salon.log()).body.entries.map(({ title }: { title: string }) => title);

describe('walk-ins that are switched off', () => {
  test('refuse joins until the store closes, with the time, and are shown to staff with who did it', async () => {
    const { status, body } = await salon.switchWalkIns({ open: false });
    const off = { open: false, until: '2026-05-01T16:00:00.000Z', reason: 'switch', by: cy };
    expect([status, body]).toEqual([200, { walk_ins: off }]);
    expect((await salon.list()).body.walk_ins).toEqual(off);
    const refused = [409, 'WALK_INS_NOT_ACCEPTED', 'The store takes no walk-ins until Friday 1 May at 17:00.'];
    expect(refusal(await salon.join())).toEqual(refused);
    expect(refusal(await salon.join({}, (await someCustomer(running)).token))).toEqual(refused);
    expect(await salon.published()).toEqual([]);
  });

  test('end by themselves at the time that was given', async () => {
    await salon.switchWalkIns({ open: false, until: '2026-05-01T12:30:00+01:00' });
    running.clock.set('2026-05-01T11:29:59Z');
    expect(code(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
    running.clock.set('2026-05-01T11:30:00Z');
    expect((await salon.join()).status).toBe(200);
    expect((await salon.list()).body.walk_ins).toEqual(open);
  });

  test('stay off without a time until staff switch them on', async () => {
    await salon.switchWalkIns({ open: false, until: null });
    running.clock.set('2026-05-02T11:00:00Z');
    expect(refusal(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED', 'The store takes no walk-ins at the moment.']);
    expect((await salon.switchWalkIns({ open: true })).body).toEqual({ walk_ins: open });
    running.clock.set('2026-05-01T12:00:00Z');
    expect((await salon.join()).status).toBe(200);
  });

  test('are not switched on by a snapshot of the directory', async () => {
    await salon.switchWalkIns({ open: false });
    await salon.setStore({ walk_ins_accepted: true, name: 'Cuts and more' });
    expect(code(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
  });

  test('leave those in the queue where they are, and a customer who has a place gets it back', async () => {
    const { token } = await someCustomer(running);
    const { entry_id } = (await salon.join({}, token)).body;
    await salon.switchWalkIns({ open: false });
    expect((await salon.join({}, token)).body).toMatchObject({ entry_id, reused: true });
    expect((await salon.status({ entry_id }, token)).body.entry.queue_position).toBe(1);
  });
});

describe('a switch', () => {
  test('that is repeated changes nothing and is logged once', async () => {
    const first = await salon.switchWalkIns({ open: false });
    running.clock.advance({ minutes: 5 });
    expect((await salon.switchWalkIns({ open: false, until: 'closing' })).body).toEqual(first.body);
    for (const _ of [1, 2]) await salon.switchWalkIns({ open: true });
    expect(await titles()).toEqual(['Walk-ins were switched on', 'Walk-ins were switched off until Friday 1 May at 17:00']);
  });

  test('that four members of staff make at once is made once', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => salon.switchWalkIns({ open: false })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await titles()).toHaveLength(1);
  });

  test('to on changes nothing where walk-ins were never off', async () => {
    expect((await salon.switchWalkIns({ open: true })).body).toEqual({ walk_ins: open });
    expect(await titles()).toEqual([]);
  });

  test('is refused for an unknown store, and to on where the store’s settings take no walk-ins', async () => {
    const unknown = randomUUID();
    const token = await running.issuer.token({ typ: 'staff', name: 'Cy', stores: [{ id: unknown, role: 'staff' }] });
    const response = await fetch(`${running.service.url}/api/v1/queue/stores/${unknown}/walk-ins`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ open: false }),
    });
    const body = (await response.json()) as { error: { code: string } };
    expect([response.status, body.error.code]).toEqual([404, 'STORE_NOT_FOUND']);
    const none = await openSalon(running, 1, { walk_ins_accepted: false });
    expect(code(await none.switchWalkIns({ open: true }))).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
    expect((await none.list()).body.walk_ins).toEqual({ open: false, until: null, reason: 'store', by: null });
  });

  test('is refused for a time that is past, and for what is no time', async () => {
    for (const until of ['2026-05-01T11:00:00Z', 'tomorrow', 5])
      expect(code(await salon.switchWalkIns({ open: false, until }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(code(await salon.switchWalkIns({ until: null }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await titles()).toEqual([]);
  });

  test('is refused to guests, customers and the staff of another store', async () => {
    const other = await openSalon(running);
    const tokens = [null, await running.issuer.token({ typ: 'customer' }), await other.staff()];
    expect(await Promise.all(tokens.map(async (token) => code(await salon.switchWalkIns({ open: false }, token))))).toEqual([
      [401, 'UNAUTHENTICATED'],
      [403, 'WRONG_TOKEN_TYPE'],
      [403, 'STORE_FORBIDDEN'],
    ]);
    await other.switchWalkIns({ open: false });
    expect((await salon.list()).body.walk_ins).toEqual(open);
  });
});

describe('a store that is closed or paused by the directory', () => {
  const closure = (from: string, to: string) => ({ closures: [{ starts_at: `2026-05-0${from}Z`, ends_at: `2026-05-0${to}Z` }] });

  test('refuses joins on a closed day, and says until when', async () => {
    await salon.setStore(closure('1T00:00:00', '2T08:00:00'));
    expect(refusal(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED', 'The store is closed until Saturday 2 May at 09:00.']);
    expect((await salon.list()).body.walk_ins).toEqual({ open: false, until: '2026-05-02T08:00:00.000Z', reason: 'closure', by: null });
    await salon.setStore({ closures: [] });
    expect((await salon.join()).status).toBe(200);
  });

  test('refuses joins while it is paused', async () => {
    await salon.setStore({ paused_until: '2026-05-01T11:20:00Z' });
    expect(refusal(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED', 'The store takes no walk-ins until Friday 1 May at 12:20.']);
    expect((await salon.list()).body.walk_ins).toMatchObject({ open: false, reason: 'pause' });
    running.clock.set('2026-05-01T11:20:00Z');
    expect((await salon.join()).status).toBe(200);
  });

  test('begins no service during a closure that is ahead, and quotes the wait until after it', async () => {
    await salon.setStore(closure('1T11:20:00', '1T12:00:00'));
    expect((await salon.join()).body.expected_wait_min).toBe(60);
    expect((await salon.join({ service_id: salon.beard })).body.expected_wait_min).toBe(0);
  });

  test('lets staff seat a party that waits during a closure', async () => {
    const { entry_id } = (await salon.join()).body;
    await salon.setStore(closure('1T11:00:00', '1T16:00:00'));
    expect((await salon.move('assign', entry_id)).body.entry.status).toBe('assigned');
  });
});
