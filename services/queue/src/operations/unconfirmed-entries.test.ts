// covers: confirmQueueEntry, clearUnconfirmedEntries
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
let salon: Salon;
beforeAll(async () => {
  running = await startRunning();
});
/** One chair and six hours: twelve cuts fit. */
beforeEach(async () => {
  running.clock.set('2026-05-01T11:00:00Z');
  salon = await openSalon(running, 1);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const from = (address: string) => ({ 'x-forwarded-for': address });
const stranger = from('203.0.113.9');
const passer = from('198.51.100.7');
const waitOrCode = ({ status, body }: ApiResponse) => (status === 200 ? body.expected_wait_min : body.error.code);
const joinTimes = async (count: number, headers: Record<string, string>, more: object = {}) => {
  const joined: ApiResponse[] = [];
  for (let n = 0; n < count; n += 1) joined.push(await salon.join(more, null, headers));
  return joined;
};
const entries = async (of = salon) => (await of.list()).body.entries;

describe('a stranger who joins until the day is full', () => {
  beforeEach(async () => {
    const joined = await joinTimes(13, stranger);
    expect(joined.map(waitOrCode)).toEqual([...Array.from({ length: 12 }, (_, n) => n * 30), 'NO_CAPACITY_TODAY']);
  });

  test('closes the queue for the own address alone: customers, guests elsewhere and staff get a place, behind two of the stranger’s', async () => {
    const { token } = await someCustomer(running);
    expect(waitOrCode(await salon.join({}, token, stranger))).toBe(60);
    expect(waitOrCode(await salon.join({}, null, passer))).toBe(90);
    expect((await salon.add()).body.entry).toMatchObject({ quoted_wait_min: 120, expected_wait_min: 120 });
    expect(waitOrCode(await salon.join({}, null, stranger))).toBe('NO_CAPACITY_TODAY');
  });

  test('is one subscriber with every address of an IPv6 network', async () => {
    const own = await openSalon(running, 1);
    for (let n = 0; n < 12; n += 1) await own.join({}, null, from(`2001:db8:1:2::${n + 1}`));
    expect(waitOrCode(await own.join({}, null, from('2001:DB8:1:2:ffff::1')))).toBe('NO_CAPACITY_TODAY');
    expect(waitOrCode(await own.join({}, null, from('2001:db8:1:3::1')))).toBe(60);
  });

  test('leaves each who was let in a wait to look at, and shows it before joining to those who would get it', async () => {
    const { entry_id } = (await salon.join({}, null, passer)).body;
    expect((await salon.status({ entry_id })).body.entry).toMatchObject({
      queue_position: 13,
      expected_wait_min: 60,
      expected_start: '2026-05-01T12:00:00.000Z',
    });
    const { token } = await someCustomer(running);
    const shown = async (headers: Record<string, string>, asker: string | null = null) =>
      (await salon.before(asker, headers)).body.services[0].wait_min;
    expect([await shown(stranger), await shown(stranger, token), await shown(from('192.0.2.1'))]).toEqual([null, 90, 90]);
  });

  test('is refused under another number too, and with the number of the first place gets no second that counts', async () => {
    const own = await openSalon(running, 1);
    const phone = { guest_phone: '+447700900003' };
    for (let n = 0; n < 12; n += 1) await own.join(phone, null, stranger);
    // One of its places counts, since all have one number.
    expect(waitOrCode(await own.join({}, null, passer))).toBe(30);
    expect(waitOrCode(await own.join(phone, null, stranger))).toBe('NO_CAPACITY_TODAY');
  });

  test('leaves no trace of the address once an entry is confirmed, called, taken over or ended', async () => {
    const [first, second, third, fourth] = (await entries()).map(({ entry_id }: { entry_id: string }) => entry_id);
    await salon.move('confirm', first);
    await salon.move('call', second);
    await salon.leave(third);
    await salon.join({ entry_id: fourth }, (await someCustomer(running)).token);
    const Row = z.object({ entry_id: z.string(), address_hash: z.string().nullable() });
    const rows = await running.service.database.any(sql.type(Row)`
      select entry_id, address_hash from entry where store_id = ${salon.storeId} order by joined_at`);
    expect(rows.slice(0, 4).map(({ address_hash }) => address_hash)).toEqual([null, null, null, null]);
    const others = new Set(rows.slice(4).map(({ address_hash }) => address_hash));
    expect([...others]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(JSON.stringify(rows)).not.toContain('203.0.113.9');
  });
});

describe('honest guests', () => {
  test('of one address, the shop’s own Wi-Fi, all get in while time is left, each with the wait that belongs to it', async () => {
    const roomy = await openSalon(running, 4);
    const joined: ApiResponse[] = [];
    for (let n = 0; n < 30; n += 1) joined.push(await roomy.join({ guest_name: `Guest ${n}` }, null, from('192.0.2.33')));
    expect(joined.map(waitOrCode)).toEqual(Array.from({ length: 30 }, (_, n) => Math.floor(n / 4) * 30));
    expect((await entries(roomy)).map((entry: { expected_wait_min: number }) => entry.expected_wait_min)).toEqual(joined.map(waitOrCode));
  });

  test('get in as before when nothing says where they are, and are refused when the day is full', async () => {
    expect((await joinTimes(13, {})).map(waitOrCode).at(-1)).toBe('NO_CAPACITY_TODAY');
  });

  test('whom staff have confirmed fill the day for everyone', async () => {
    await joinTimes(12, stranger);
    for (const { entry_id } of await entries()) await salon.move('confirm', entry_id);
    expect(waitOrCode(await salon.join({}, null, passer))).toBe('NO_CAPACITY_TODAY');
    expect(waitOrCode(await salon.join({}, (await someCustomer(running)).token))).toBe('NO_CAPACITY_TODAY');
  });
});

describe('the store’s list', () => {
  test('says whom no one has confirmed, and whose place does not count when the day is full', async () => {
    await joinTimes(3, stranger);
    await salon.join({}, (await someCustomer(running)).token, stranger);
    await salon.add();
    const marks = (await entries()).map(({ confirmed, counted }: { confirmed: boolean; counted: boolean }) => [confirmed, counted]);
    expect(marks).toEqual([
      [false, true],
      [false, true],
      [false, false],
      [true, true],
      [true, true],
    ]);
  });
});

describe('a confirmation', () => {
  test('counts the place, names who made it, and is published and logged once, however often it is pressed', async () => {
    const [, , third] = await joinTimes(3, stranger);
    const id = third?.body.entry_id;
    const first = await salon.move('confirm', id, {}, await salon.staff());
    expect(first.body.entry).toMatchObject({ status: 'waiting', confirmed: true, counted: true, queue_position: 3, by: { name: 'Cy' } });
    expect((await salon.move('confirm', id)).body).toEqual(first.body);
    const confirmed = (await salon.published()).filter(({ type }) => type === 'queue.confirmed');
    expect(confirmed.map(({ sequence, data }) => [sequence, data.position])).toEqual([[2, 3]]);
    expect((await salon.log()).body.entries[0]).toMatchObject({ title: 'A guest was confirmed', by: { name: 'Cy' } });
  });

  test('of an entry that was called or has a chair changes nothing, and one that ended or is unknown is refused', async () => {
    const [first] = await joinTimes(1, stranger);
    const id = first?.body.entry_id;
    await salon.move('call', id);
    expect((await salon.move('confirm', id)).body.entry).toMatchObject({ status: 'called', confirmed: true });
    await salon.move('assign', id);
    expect((await salon.move('confirm', id)).body.entry.status).toBe('assigned');
    await salon.move('complete', id);
    expect((await salon.move('confirm', id)).body.error).toMatchObject({ code: 'INVALID_TRANSITION' });
    expect((await salon.move('confirm', randomUUID())).body.error).toMatchObject({ code: 'QUEUE_ENTRY_NOT_FOUND' });
  });
});

describe('clearing', () => {
  const clear = (token?: string) => salon.clear(token);

  test('ends the places that do not count and no other, names who did it, and a repeat ends nothing', async () => {
    const { token } = await someCustomer(running);
    await joinTimes(6, stranger);
    await salon.join({}, null, passer);
    await salon.join({}, token, stranger);
    const kept = (await entries())[4].entry_id;
    await salon.move('confirm', kept);
    expect((await clear(await salon.staff())).body).toEqual({ ended: 3 });
    expect((await clear()).body).toEqual({ ended: 0 });
    expect((await entries()).map(({ counted }: { counted: boolean }) => counted)).toEqual(Array(5).fill(true));
    expect((await entries()).map((entry: { entry_id: string }) => entry.entry_id)).toContain(kept);
    const left = (await salon.published()).filter(({ type }) => type === 'queue.left');
    expect(left.map(({ data }) => [data.left_by, data.by_id])).toEqual(Array(3).fill([null, expect.stringMatching(/c1$/)]));
    expect((await salon.log()).body.entries.slice(0, 3)).toMatchObject(
      Array(3).fill({ title: 'A guest was taken off the queue, not confirmed', by: { name: 'Cy' } }),
    );
  });

  test('can be undone for each place for ten minutes: it is back where it was, and confirmed', async () => {
    const [, , third] = await joinTimes(4, stranger);
    const id = third?.body.entry_id;
    await clear();
    expect((await salon.status({ entry_id: id })).body.entry).toMatchObject({ status: 'left' });
    expect((await salon.log()).body.entries.map(({ reopens_until }: { reopens_until: string | null }) => reopens_until)).toContain(
      '2026-05-01T11:10:00.000Z',
    );
    const { entry } = (await salon.move('reopen', id)).body;
    expect(entry).toMatchObject({ status: 'waiting', queue_position: 3, expected_wait_min: 60, confirmed: true, counted: true });
    const last = (await salon.published()).at(-1);
    expect([last?.type, last?.data.position, last?.data.hold_until]).toEqual(['queue.reopened', 3, null]);
    expect((await clear()).body).toEqual({ ended: 0 });
  });

  test('is for the store’s own staff', async () => {
    const other = await openSalon(running, 1);
    expect((await salon.clear(await other.staff())).status).toBe(403);
    expect((await salon.clear((await someCustomer(running)).token)).status).toBe(403);
    const unknown = randomUUID();
    const response = await fetch(`${running.service.url}/api/v1/queue/stores/${unknown}/clear`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await running.issuer.token({ typ: 'staff', stores: [{ id: unknown, role: 'staff' }] })}`,
      },
      body: '{}',
    });
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('STORE_NOT_FOUND')]);
  });

  test('a place that its owner left stays ended', async () => {
    const [first] = await joinTimes(1, stranger);
    await salon.leave(first?.body.entry_id);
    expect((await salon.move('reopen', first?.body.entry_id)).body.error).toMatchObject({ code: 'INVALID_TRANSITION' });
  });
});
