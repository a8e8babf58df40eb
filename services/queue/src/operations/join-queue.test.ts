import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { type ApiResponse, openSalon, type Salon, someCustomer } from '../testing/salon.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => running.clock.set('2026-05-01T11:00:00Z'));
afterAll(async () => await running[Symbol.asyncDispose]());

describe('joining:', () => {
  let salon: Salon;
  beforeEach(async () => {
    salon = await openSalon(running);
  });

  const uuidv4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  describe('join works', () => {
    test('a guest gets an entry id and a wait, and queue.joined is published', async () => {
      const first = await salon.join({ guest_name: 'Dee', guest_phone: '+447700900003' });
      expect(first).toEqual({
        status: 200,
        body: { entry_id: expect.stringMatching(uuidv4), reused: false, expected_wait_min: 0, wait_range: null, status: 'waiting' },
      });
      const others = [await salon.join(), await salon.join(), await salon.join()];
      expect(others.map(({ body }) => body.expected_wait_min)).toEqual([0, 30, 30]);
      const published = await salon.published();
      expect(published.map(({ type, sequence, data }) => [type, sequence, data.position])).toEqual([
        ['queue.joined', 1, 1],
        ['queue.joined', 1, 2],
        ['queue.joined', 1, 3],
        ['queue.joined', 1, 4],
      ]);
      expect(published[0]?.data).toMatchObject({
        store_id: salon.storeId,
        customer_id: null,
        hold_until: null,
        at: '2026-05-01T11:00:00.000Z',
      });
    });

    test('a guest without a name is called Guest; a customer’s name and phone number are not taken from the request', async () => {
      const customer = await someCustomer(running);
      await salon.join();
      await salon.join({ guest_name: 'Not me', guest_phone: '+447700900003' }, customer.token);
      const { entries } = (await salon.list()).body;
      expect(entries).toMatchObject([
        { customer_id: null, guest_name: 'Guest', guest_phone: null },
        { customer_id: customer.id, guest_name: null, guest_phone: null },
      ]);
    });

    test('the quoted wait stays when the diary changes', async () => {
      const { body } = await salon.join();
      await salon.book('2026-05-01T11:05:00Z', '2026-05-01T12:00:00Z');
      await salon.book('2026-05-01T11:05:00Z', '2026-05-01T13:00:00Z', { unit_id: salon.chairs[1] as string });
      expect((await salon.status({ entry_id: body.entry_id })).body.entry).toMatchObject({ quoted_wait_min: 0, expected_wait_min: 60 });
    });

    test('a caller with a staff token joins as a guest', async () => {
      expect((await salon.join({}, await salon.owner())).status).toBe(200);
      expect((await salon.list()).body.entries).toMatchObject([{ customer_id: null }]);
    });
  });

  describe('a second join has no second effect', () => {
    test('a customer gets the same entry back, with the current wait', async () => {
      const { token } = await someCustomer(running);
      const first = await salon.join({}, token);
      await salon.book('2026-05-01T11:05:00Z', '2026-05-01T12:00:00Z');
      await salon.book('2026-05-01T11:05:00Z', '2026-05-01T12:30:00Z', { unit_id: salon.chairs[1] as string });
      const second = await salon.join({ party_size: 3 }, token);
      expect(second.body).toEqual({
        entry_id: first.body.entry_id,
        reused: true,
        expected_wait_min: 60,
        wait_range: null,
        status: 'waiting',
      });
      await salon.move('call', first.body.entry_id);
      expect((await salon.join({}, token)).body).toMatchObject({ reused: true, expected_wait_min: 0, status: 'called' });
    });

    test('a customer gets the same entry on eight phones at once, and after the store has stopped accepting walk-ins', async () => {
      const { token } = await someCustomer(running);
      const responses = await Promise.all(Array.from({ length: 8 }, () => salon.join({}, token)));
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(new Set(responses.map(({ body }) => body.entry_id)).size).toBe(1);
      expect(responses.filter(({ body }) => !body.reused)).toHaveLength(1);
      expect((await salon.published()).map(({ type }) => type)).toEqual(['queue.joined']);
      await salon.setStore({ walk_ins_accepted: false });
      expect((await salon.join({}, token)).body).toMatchObject({ reused: true });
    });

    test('an entry that has ended is not given back, and another store has a queue of its own', async () => {
      const { token } = await someCustomer(running);
      const first = await salon.join({}, token);
      await salon.leave(first.body.entry_id, token);
      const second = await salon.join({}, token);
      expect(second.body).toMatchObject({ reused: false });
      expect(second.body.entry_id).not.toBe(first.body.entry_id);
      expect((await (await openSalon(running)).join({}, token)).body).toMatchObject({ reused: false });
    });

    test('a guest’s repeat with the same Idempotency-Key returns the same response', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const [first, second] = [await salon.join({}, null, key), await salon.join({}, null, key)];
      expect(second).toEqual(first);
      expect(await salon.published()).toHaveLength(1);
    });

    test('a guest whose join was committed and not recorded under its key gets that place again, also when it has ended', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const first = await salon.join({}, null, key);
      const crashed = () =>
        running.service.database.query(sql.type(z.object({}))`delete from idempotency_key where key = ${key['idempotency-key']}`);
      await crashed();
      expect(await salon.join({}, null, key)).toEqual(first);
      expect((await salon.list()).body.entries).toHaveLength(1);
      await salon.leave(first.body.entry_id);
      await crashed();
      expect((await salon.join({}, null, key)).body).toEqual({ ...first.body, status: 'left' });
      expect((await salon.published()).map(({ type }) => type)).toEqual(['queue.joined', 'queue.left']);
    });

    test('a guest’s Idempotency-Key must be a UUID, since a key that another guest might choose would return that guest’s credential', async () => {
      expect(await salon.join({}, null, { 'idempotency-key': 'my-first-join-19chr' })).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_FAILED', message: expect.stringMatching(/^Idempotency-Key .*UUID/) } },
      });
      const { token } = await someCustomer(running);
      expect(await salon.join({}, token, { 'idempotency-key': 'mine' })).toMatchObject({ status: 200 });
    });
  });

  test('thirty guests who join at the same time get thirty positions, each with the wait that belongs to it', async () => {
    const roomy = await openSalon(running, 4);
    const responses = await Promise.all(Array.from({ length: 30 }, () => roomy.join()));
    const { entries } = (await roomy.list()).body;
    expect(entries.map((entry: { queue_position: number }) => entry.queue_position)).toEqual(entries.map((_: unknown, i: number) => i + 1));
    expect(new Set(entries.map((entry: { joined_at: string }) => entry.joined_at)).size).toBe(30);
    const quoted = new Map(responses.map(({ body }) => [body.entry_id, body.expected_wait_min]));
    for (const [index, entry] of entries.entries()) {
      expect([quoted.get(entry.entry_id), entry.expected_wait_min]).toEqual([Math.floor(index / 4) * 30, Math.floor(index / 4) * 30]);
    }
  });

  test('a guest who joins later is behind, even when the clock was set back', async () => {
    await salon.join({ guest_name: 'First' });
    running.clock.advance({ minutes: -10 });
    await salon.join({ guest_name: 'Second' });
    const { entries } = (await salon.list()).body;
    expect(entries.map((entry: { guest_name: string }) => entry.guest_name)).toEqual(['First', 'Second']);
  });

  describe('join is refused', () => {
    const code = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

    test('when the store is unknown, accepts no walk-ins or is dark', async () => {
      expect(code(await salon.join({ store_id: randomUUID() }))).toEqual([404, 'STORE_NOT_FOUND']);
      await salon.setStore({ walk_ins_accepted: false });
      expect(code(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
      await salon.setStore({ status: 'dark' });
      expect(code(await salon.join())).toEqual([409, 'WALK_INS_NOT_ACCEPTED']);
    });

    test('when the store does not have the service or chair, also when another store has it', async () => {
      const other = await openSalon(running);
      expect(code(await salon.join({ service_id: other.cut }))).toEqual([422, 'SERVICE_NOT_FOUND']);
      expect(code(await salon.join({ preferred_unit_id: other.chairs[0] }))).toEqual([422, 'UNIT_NOT_FOUND']);
      expect((await salon.join({ service_id: salon.beard.toUpperCase() })).status).toBe(200);
    });

    test('when the day has no room left, and then nothing is stored or published', async () => {
      running.clock.set('2026-05-01T16:31:00Z');
      expect(code(await salon.join())).toEqual([409, 'NO_CAPACITY_TODAY']);
      expect((await salon.list()).body.entries).toEqual([]);
      expect(await salon.published()).toEqual([]);
      expect((await salon.join({ service_id: salon.beard })).status).toBe(200);
    });

    test('when the input is invalid or the token has expired', async () => {
      const bad = [
        { store_id: 'x' },
        { party_size: 0 },
        { party_size: 9 },
        { guest_phone: '0770' },
        { guest_name: ' ' },
        { guest_name: 'Dee\u001b[2J' },
        { guest_name: 'Dee\nTable 1' },
        { guest_name: '\u202eeeD' },
        { service_id: 'cut' },
      ];
      for (const more of [...bad, { guest_name: 'x'.repeat(81) }]) expect((await salon.join(more)).status).toBe(400);
      expect((await salon.join({}, await running.issuer.bad.expired({ typ: 'customer' }))).status).toBe(401);
    });
  });
});

describe('places of guests:', () => {
  const guest = { guest_name: 'Dee', guest_phone: '+447700900123' };

  const typesOf = async (salon: Salon) => (await salon.published()).map(({ type }) => type);

  const activeEntries = async (salon: Salon) => (await salon.list()).body.entries;

  describe('a guest who signs in', () => {
    test('keeps the place, its position and its time of joining, and the store no longer shows a guest’s name', async () => {
      const salon = await openSalon(running, 1);
      const { entry_id } = (await salon.join(guest)).body;
      await salon.join();
      running.clock.advance({ minutes: 3 });
      const { id, token } = await someCustomer(running);
      const joined = await salon.join({ entry_id }, token);
      expect(joined).toMatchObject({ status: 200, body: { entry_id, reused: true, status: 'waiting' } });
      expect((await salon.status({ store_id: salon.storeId }, token)).body.entry).toMatchObject({
        entry_id,
        customer_id: id,
        guest_name: null,
        queue_position: 1,
        joined_at: expect.stringMatching(/^2026-05-01T11:00:00/),
      });
      expect(await activeEntries(salon)).toHaveLength(2);
      // The party may still be waiting for a text on that number.
      expect((await activeEntries(salon))[0]).toMatchObject({ customer_id: id, guest_phone: guest.guest_phone });
    });

    test('keeps it from then on as a customer: without the token the id opens nothing', async () => {
      const salon = await openSalon(running, 1);
      const { entry_id } = (await salon.join(guest)).body;
      const { token } = await someCustomer(running);
      await salon.join({ entry_id }, token);
      expect((await salon.status({ entry_id })).body.entry).toBeNull();
      expect((await salon.leave(entry_id)).status).toBe(404);
      expect((await salon.leave(entry_id, token)).body).toMatchObject({ status: 'left', noop: false });
    });

    test('twice at once has one place', async () => {
      const salon = await openSalon(running, 1);
      const { entry_id } = (await salon.join(guest)).body;
      const { token } = await someCustomer(running);
      const joined = await Promise.all([1, 2, 3].map(() => salon.join({ entry_id }, token)));
      expect(joined.map(({ body }) => [body.entry_id, body.reused])).toEqual([1, 2, 3].map(() => [entry_id, true]));
      expect(await activeEntries(salon)).toHaveLength(1);
      expect(await typesOf(salon)).toEqual(['queue.joined', 'queue.claimed']);
    });

    test('keeps a place that is called already', async () => {
      const salon = await openSalon(running, 1);
      const { entry_id } = (await salon.join(guest)).body;
      await salon.move('call', entry_id);
      const { token } = await someCustomer(running);
      expect((await salon.join({ entry_id }, token)).body).toMatchObject({
        entry_id,
        reused: true,
        status: 'called',
        expected_wait_min: 0,
      });
    });

    test('joins anew when the guest’s place has ended', async () => {
      const salon = await openSalon(running, 1);
      const { entry_id } = (await salon.join(guest)).body;
      await salon.leave(entry_id);
      const { token } = await someCustomer(running);
      const { body } = await salon.join({ entry_id }, token);
      expect(body).toMatchObject({ reused: false, status: 'waiting' });
      expect(body.entry_id).not.toBe(entry_id);
    });
  });

  test('of two customers who name one guest’s place at once, one gets it and the other gets what an unknown id gets', async () => {
    const salon = await openSalon(running, 1);
    const { entry_id } = (await salon.join(guest)).body;
    const customers = await Promise.all([someCustomer(running), someCustomer(running)]);
    const joined = await Promise.all(customers.map(({ token }) => salon.join({ entry_id }, token)));
    expect(joined.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    const unknown = await salon.join({ entry_id: randomUUID() }, customers[0].token);
    const refused = joined.find(({ status }) => status === 404);
    expect(refused?.body.error).toMatchObject({ code: 'QUEUE_ENTRY_NOT_FOUND', message: unknown.body.error.message });
    const owner = customers[joined.findIndex(({ status }) => status === 200)];
    expect((await activeEntries(salon)).map((entry: { customer_id: string }) => entry.customer_id)).toEqual([owner?.id]);
  });

  test('a place at another store is refused as an unknown one', async () => {
    const [salon, other] = [await openSalon(running, 1), await openSalon(running, 1)];
    const { entry_id } = (await other.join(guest)).body;
    const { token } = await someCustomer(running);
    expect((await salon.join({ entry_id }, token)).body.error.code).toBe('QUEUE_ENTRY_NOT_FOUND');
    expect(await activeEntries(salon)).toEqual([]);
  });

  describe('a customer who has a place already', () => {
    test.each([
      ['keeps the guest’s place, which is the earlier one', 'guest'],
      ['keeps their own place, which is the earlier one', 'own'],
    ] as const)('%s, and leaves the other', async (_, earlier) => {
      const salon = await openSalon(running, 1);
      const { token } = await someCustomer(running);
      const joins = [() => salon.join(guest), () => salon.join({}, token)];
      const first = (await (earlier === 'guest' ? joins[0] : joins[1])?.())?.body.entry_id;
      const second = (await (earlier === 'guest' ? joins[1] : joins[0])?.())?.body.entry_id;
      const guestEntry = earlier === 'guest' ? first : second;
      const { body } = await salon.join({ entry_id: guestEntry }, token);
      expect(body).toMatchObject({ entry_id: first, reused: true });
      expect((await activeEntries(salon)).map(({ entry_id }: { entry_id: string }) => entry_id)).toEqual([first]);
      const left = (await salon.published()).filter(({ type }) => type === 'queue.left');
      expect(left.map(({ data }) => (data as { left_by: string }).left_by)).toEqual(['owner']);
      expect(second).not.toBe(first);
    });
  });

  test('a guest’s own entry_id in a join is ignored', async () => {
    const salon = await openSalon(running, 2);
    const { entry_id } = (await salon.join(guest)).body;
    expect((await salon.join({ ...guest, entry_id })).body).toMatchObject({ reused: false });
    expect(await activeEntries(salon)).toHaveLength(2);
  });
});

describe('waits:', () => {
  const setClock = (at: string) => running.clock.set(at);

  const waitOrCode = ({ status, body }: ApiResponse) => (status === 200 ? body.expected_wait_min : body.error.code);

  const daily = (opens: string, closes: string) => [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, opens, closes }));

  const shift = (starts_at: string, ends_at: string) => ({ shifts: [{ starts_at, ends_at }] });

  describe('near closing', () => {
    test('a customer may join a minute before closing, if the chair works longer, and not at closing or later', async () => {
      const salon = await openSalon(running, 1, { hours: daily('09:00', '17:30') });
      setClock('2026-05-01T16:29:00Z');
      expect(waitOrCode(await salon.join())).toBe(0);
      expect(waitOrCode(await salon.join())).toBe('NO_CAPACITY_TODAY');
      setClock('2026-05-01T16:30:00Z');
      expect(waitOrCode(await salon.join({ service_id: salon.beard }))).toBe('NO_CAPACITY_TODAY');
    });

    test('a service must fit between now and the end of the shift', async () => {
      const salon = await openSalon(running, 1);
      setClock('2026-05-01T16:30:00Z');
      expect(waitOrCode(await salon.join())).toBe(0);
      expect(waitOrCode(await salon.join({ service_id: salon.beard }))).toBe('NO_CAPACITY_TODAY');
      setClock('2026-05-01T16:30:01Z');
      const another = await openSalon(running, 1);
      expect(waitOrCode(await another.join())).toBe('NO_CAPACITY_TODAY');
      expect(waitOrCode(await another.join({ service_id: another.beard }))).toBe(0);
    });

    test('joining is refused on a day the store does not open', async () => {
      const salon = await openSalon(running, 1, { hours: [{ day: 6, opens: '09:00', closes: '17:00' }] });
      expect(waitOrCode(await salon.join())).toBe('NO_CAPACITY_TODAY');
    });
  });

  test('before a shift begins the wait lasts until it begins, and breaks are kept free', async () => {
    const salon = await openSalon(
      running,
      1,
      {},
      { units: [{ breaks: [{ starts_at: '2026-05-01T09:20:00Z', ends_at: '2026-05-01T09:50:00Z' }] }] },
    );
    setClock('2026-05-01T08:00:30Z');
    expect(waitOrCode(await salon.join({ service_id: salon.beard }))).toBe(60);
    expect(waitOrCode(await salon.join())).toBe(110);
  });

  test('a booking that overruns occupies the chair for five more minutes, counted from each request', async () => {
    const salon = await openSalon(running, 1);
    await salon.book('2026-05-01T10:00:00Z', '2026-05-01T10:50:00Z', { id: '0190a000-0000-7000-8000-0000000000b1', state: 'started' });
    const { body } = await salon.join();
    expect(body.expected_wait_min).toBe(5);
    setClock('2026-05-01T11:20:00Z');
    expect((await salon.status({ entry_id: body.entry_id })).body.entry).toMatchObject({ expected_wait_min: 5, quoted_wait_min: 5 });
    await salon.book('2026-05-01T10:00:00Z', '2026-05-01T10:50:00Z', {
      id: '0190a000-0000-7000-8000-0000000000b1',
      state: 'done',
      version: 2,
    });
    expect((await salon.status({ entry_id: body.entry_id })).body.entry.expected_wait_min).toBe(0);
  });

  test('a booking that was never ended no longer occupies the chair the next morning', async () => {
    const salon = await openSalon(running, 1);
    await salon.book('2026-04-30T22:00:00Z', '2026-04-30T22:59:00Z', { state: 'started' });
    expect(waitOrCode(await salon.join())).toBe(0);
  });

  test('a party larger than the free chairs is seated one after another, and the next entry waits for the last of them', async () => {
    const salon = await openSalon(running, 2);
    await salon.book('2026-05-01T11:00:00Z', '2026-05-01T12:00:00Z');
    expect(waitOrCode(await salon.join({ party_size: 3 }))).toBe(0);
    expect(waitOrCode(await salon.join())).toBe(60);
  });

  test('a customer who prefers a chair that is off today cannot join; one without a preference can', async () => {
    const salon = await openSalon(
      running,
      2,
      {},
      { units: [{}, { shifts: [{ starts_at: '2026-05-02T09:00:00Z', ends_at: '2026-05-02T17:00:00Z' }] }] },
    );
    expect(waitOrCode(await salon.join({ preferred_unit_id: salon.chairs[1] }))).toBe('NO_CAPACITY_TODAY');
    expect(waitOrCode(await salon.join())).toBe(0);
  });

  test('a store that never closes serves past midnight', async () => {
    const salon = await openSalon(running, 1, {}, { units: [shift('2026-05-01T00:00:00Z', '2026-05-03T00:00:00Z')] });
    setClock('2026-05-01T22:45:00Z');
    expect([waitOrCode(await salon.join()), waitOrCode(await salon.join())]).toEqual([0, 30]);
  });
});
