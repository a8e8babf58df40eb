import { randomUUID } from 'node:crypto';
import { directorySlots } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { saveSlots } from '../shop/transactions.ts';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { expireOverdue, logOf, ordersOf, takenOf, usedOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const storeWith = (...slots: NonNullable<Parameters<Running['openStore']>[2]>) => running.openStore({}, menu, slots);

describe('a scheduled order', () => {
  interface SlotRequest {
    readonly id?: string;
    readonly fromHours?: number;
    readonly toHours?: number;
    readonly capacity?: number | null;
    readonly open?: boolean;
  }

  function slot({ id = randomUUID(), fromHours = 0, toHours = fromHours + 1, capacity = 3, open = true }: SlotRequest = {}) {
    return { id, starts_at: hour(fromHours), ends_at: hour(toHours), capacity, open };
  }
  const hour = (hours: number) => {
    const tomorrow = new Date(Math.floor(running.clock.now().getTime() / 86_400_000 + 1) * 86_400_000);
    return new Date(tomorrow.getTime() + (12 + hours) * 3_600_000).toISOString();
  };

  test('a scheduled order takes a place in its slot and is due at the slot’s start', async () => {
    const noon = slot();
    const store = await storeWith(noon, slot({ fromHours: 1 }));
    const ada = customer(running);
    const order = await ada.paid(store, { collection_mode: 'scheduled', slot_id: noon.id });
    const { body } = await ada.confirm(store, order.payment_intent_id);
    expect(body).toMatchObject({ order_type: 'collect', fulfilment_status: 'accepted' });
    expect(new Date(body.requested_collection_at).toISOString()).toBe(noon.starts_at);
    expect(await usedOf(running, noon.id)).toBe(1);
  });

  test('a slot that has begun is booked for when the order can be made, and refused when it is over before', async () => {
    const now = running.clock.now().getTime();
    const minutes = (count: number) => new Date(now + count * 60_000).toISOString();
    const begun = { ...slot(), starts_at: minutes(-50), ends_at: minutes(10) };
    const slow = { id: 'slow', name: 'A pie', price_pence: 900, prep_minutes: 30 };
    const store = await running.openStore({}, [...menu, slow], [begun]);
    const ada = customer(running);
    const when = { collection_mode: 'scheduled', requested_collection_at: minutes(9) };
    const order = await ada.paid(store, when);
    const { body } = await ada.confirm(store, order.payment_intent_id);
    expect(new Date(body.requested_collection_at).toISOString()).toBe(minutes(5));
    const refused = await ada.create(store, { ...when, items: [{ menu_item_id: 'slow', quantity: 1 }] });
    expect(codeOf(refused)).toEqual([409, 'SLOT_CLOSED']);
    expect(refused.body.error.message).toMatch(/^The order takes 30 minutes, and the slot ends at .*: choose a later one\.$/);
  });

  test('a slot that has begun is not booked for a time that is past once the order is paid', async () => {
    const now = running.clock.now();
    const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();
    const begun = { ...slot(), starts_at: at(-50), ends_at: at(40) };
    const store = await storeWith(begun);
    const ada = customer(running);
    const placed = await ada.create(store, { slot_id: begun.id });
    running.clock.set(at(12));
    const { body } = await ada.payAndConfirm(store, placed.body);
    expect(new Date(body.requested_collection_at).toISOString()).toBe(at(17));
    running.clock.set(now.toISOString());
  });

  test.each([
    ['at its start', 0],
    ['within it', 0.5],
  ])('a requested time %s finds the slot', async (_when, hours) => {
    const [noon, one] = [slot(), slot({ fromHours: 1 })];
    const store = await storeWith(noon, one);
    const ada = customer(running);
    const { status } = await ada.create(store, { requested_collection_at: hour(hours) });
    expect(status).toBe(200);
    expect([await usedOf(running, noon.id), await usedOf(running, one.id)]).toEqual([1, 0]);
  });

  test('a requested time at the end of a slot belongs to the next one', async () => {
    const [noon, one] = [slot(), slot({ fromHours: 1 })];
    const store = await storeWith(noon, one);
    expect((await customer(running).create(store, { requested_collection_at: hour(1) })).status).toBe(200);
    expect([await usedOf(running, noon.id), await usedOf(running, one.id)]).toEqual([0, 1]);
  });

  test('a requested time in two open slots is ambiguous, unless one is closed', async () => {
    const request = { requested_collection_at: hour(0.5) };
    const noon = slot();
    expect(codeOf(await customer(running).create(await storeWith(noon, slot({ open: false })), request))).toEqual([200, undefined]);
    const { status, body } = await customer(running).create(await storeWith(slot(), slot({ toHours: 2 })), request);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.message).toContain('requested_collection_at');
  });

  describe('a refused request takes nothing', () => {
    test.each([
      [404, 'SLOT_NOT_FOUND', {}, () => ({ slot_id: randomUUID() })],
      [404, 'SLOT_NOT_FOUND', {}, () => ({ requested_collection_at: hour(5) })],
      [409, 'SLOT_CLOSED', { open: false }, (id: string) => ({ slot_id: id })],
      [409, 'SLOT_CLOSED', { fromHours: -60 }, (id: string) => ({ slot_id: id })],
      [409, 'SLOT_JUST_FILLED', { capacity: 0 }, (id: string) => ({ slot_id: id })],
      [400, 'SLOT_MISMATCH', {}, (id: string) => ({ slot_id: id, requested_collection_at: hour(1) })],
      [400, 'SLOT_MISMATCH', {}, (id: string) => ({ slot_id: id, requested_collection_at: hour(-0.1) })],
      [400, 'VALIDATION_FAILED', {}, () => ({})],
      [400, 'VALIDATION_FAILED', {}, (id: string) => ({ slot_id: id, collection_mode: 'now' })],
      [400, 'VALIDATION_FAILED', {}, (id: string) => ({ slot_id: id, order_type: 'buy_now', collection_mode: undefined })],
      [400, 'VALIDATION_FAILED', {}, () => ({ slot_id: 'noon' })],
      [400, 'VALIDATION_FAILED', {}, () => ({ requested_collection_at: 'noon' })],
    ])('%i %s %j', async (status, code, request, ask) => {
      const only = slot(request);
      const store = await storeWith(only);
      const response = await customer(running).create(store, {
        collection_mode: 'scheduled',
        items: [{ menu_item_id: 'last-cake', quantity: 1 }],
        ...ask(only.id),
      });
      expect(codeOf(response)).toEqual([status, code]);
      if (code === 'VALIDATION_FAILED') expect(response.body.error.message).toMatch(/slot_id|requested_collection_at/);
      expect([await ordersOf(running, store.id), await usedOf(running, only.id), await takenOf(running, store.id)]).toEqual([0, 0, 0]);
    });

    test('a slot of another store is not found', async () => {
      const theirs = slot();
      await storeWith(theirs);
      const response = await customer(running).create(await storeWith(slot()), { slot_id: theirs.id });
      expect(codeOf(response)).toEqual([404, 'SLOT_NOT_FOUND']);
      expect(await usedOf(running, theirs.id)).toBe(0);
    });

    test('a sold out item leaves the place in the slot free', async () => {
      const noon = slot();
      const store = await storeWith(noon);
      const response = await customer(running).create(store, { slot_id: noon.id, items: [{ menu_item_id: 'last-cake', quantity: 2 }] });
      expect(codeOf(response)).toEqual([409, 'OUT_OF_STOCK']);
      expect(await usedOf(running, noon.id)).toBe(0);
    });
  });

  test('a slot and a time within it may be sent together', async () => {
    const noon = slot();
    const store = await storeWith(noon, slot({ toHours: 3 }));
    const response = await customer(running).create(store, { slot_id: noon.id, requested_collection_at: hour(0.9) });
    expect(codeOf(response)).toEqual([200, undefined]);
    expect(await usedOf(running, noon.id)).toBe(1);
  });

  test('while the store is closed a scheduled order is accepted and an immediate one refused', async () => {
    const day = ((running.clock.now().getUTCDay() + 2) % 7) + 1;
    const noon = slot();
    const store = await running.openStore({ time_zone: 'UTC', hours: [{ day, opens: '09:00', closes: '10:00' }] }, menu, [noon]);
    const ada = customer(running);
    expect(codeOf(await ada.create(store, { slot_id: noon.id }))).toEqual([200, undefined]);
    expect(codeOf(await ada.create(store, { collection_mode: 'now' }))).toEqual([409, 'STORE_CLOSED']);
    expect(codeOf(await ada.create(store))).toEqual([409, 'STORE_CLOSED']);
  });
});

describe('the places of a slot', () => {
  function slot({ capacity }: { capacity: number | null }) {
    const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
    return { id: randomUUID(), starts_at: at(24), ends_at: at(25), capacity, open: true };
  }

  const saveSnapshot = async (store: OpenStore, version: number, ...slots: ReturnType<typeof slot>[]) =>
    await running.service.database.transaction((tx) => saveSlots(tx, directorySlots.data.parse({ version, store_id: store.id, slots })));

  test('of fifty customers for three places, three get one and 47 receive SLOT_JUST_FILLED', async () => {
    const noon = slot({ capacity: 3 });
    const store = await storeWith(noon);
    const responses = await Promise.all(Array.from({ length: 50 }, () => customer(running).create(store, { slot_id: noon.id })));
    const count = (code: string) => responses.filter((response) => codeOf(response).join(' ') === code).length;
    expect([count('200 '), count('409 SLOT_JUST_FILLED')]).toEqual([3, 47]);
    expect([await usedOf(running, noon.id), await ordersOf(running, store.id)]).toEqual([3, 3]);
  });

  test('a slot without a capacity accepts every order', async () => {
    const noon = slot({ capacity: null });
    const store = await storeWith(noon);
    const responses = await Promise.all(Array.from({ length: 20 }, () => customer(running).create(store, { slot_id: noon.id })));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await usedOf(running, noon.id)).toBe(20);
  });

  test('fifty concurrent repeats of one key take one place, even the last one', async () => {
    const noon = slot({ capacity: 1 });
    const store = await storeWith(noon);
    const ada = customer(running);
    const request = { slot_id: noon.id, idempotency_key: randomUUID() };
    const responses = await Promise.all(Array.from({ length: 50 }, () => ada.create(store, request)));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.order_id}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    expect(await usedOf(running, noon.id)).toBe(1);
  });

  describe('the place of an order is released once', () => {
    test('when the order expires; a repeat of its request returns it as expired, without a payment', async () => {
      const noon = slot({ capacity: 2 });
      const store = await storeWith(noon);
      const ada = customer(running);
      const request = { slot_id: noon.id, idempotency_key: randomUUID(), items: [{ menu_item_id: 'last-cake', quantity: 1 }] };
      await ada.create(store, request);
      const other = await customer(running).paid(store, { slot_id: noon.id });
      expect([await usedOf(running, noon.id), await takenOf(running, store.id)]).toEqual([2, 1]);
      await Promise.all([expireOverdue(running), expireOverdue(running), expireOverdue(running)]);
      await expireOverdue(running);
      expect([await usedOf(running, noon.id), await takenOf(running, store.id)]).toEqual([1, 0]);
      const { status, body } = await ada.create(store, request);
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'expired', requires_payment: false, client_secret: null, ephemeral_key: null });
      expect(await logOf(running, body.order_id)).toEqual(['placed', 'expired']);
      expect((await worker(running, store).get(other.order_id)).body.order.status).toBe('paid');
    });

    test.each([['before'], ['after']])('when the order is cancelled %s payment, five times at once', async (when) => {
      const noon = slot({ capacity: 2 });
      const store = await storeWith(noon);
      const ada = customer(running);
      const { body: order } = await ada.create(store, { slot_id: noon.id });
      await ada.create(store, { slot_id: noon.id });
      if (when === 'after') {
        await ada.payAndConfirm(store, order);
      }
      const ben = worker(running, store);
      const cancel = () => ben.call('PATCH', `/api/v1/orders/${order.order_id}/status`, { store_id: store.id, status: 'cancelled' });
      const responses = await Promise.all([cancel(), cancel(), cancel(), cancel(), cancel()]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(await usedOf(running, noon.id)).toBe(1);
      expect(codeOf(await ada.create(store, { slot_id: noon.id }))).toEqual([200, undefined]);
      expect(codeOf(await ada.create(store, { slot_id: noon.id }))).toEqual([409, 'SLOT_JUST_FILLED']);
    });
  });

  test('a capacity lowered below the used places keeps them and fills the slot; raised again, it accepts more orders', async () => {
    const noon = slot({ capacity: 3 });
    const store = await storeWith(noon);
    const ada = customer(running);
    const create = async () => codeOf(await ada.create(store, { slot_id: noon.id }));
    expect([await create(), await create()]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    await saveSnapshot(store, 2, { ...noon, capacity: 1 });
    expect(await usedOf(running, noon.id)).toBe(2);
    expect(await create()).toEqual([409, 'SLOT_JUST_FILLED']);
    await saveSnapshot(store, 3, { ...noon, capacity: 3 });
    expect(await create()).toEqual([200, undefined]);
    expect(await create()).toEqual([409, 'SLOT_JUST_FILLED']);
    await saveSnapshot(store, 2, { ...noon, capacity: 99 });
    expect(await create()).toEqual([409, 'SLOT_JUST_FILLED']);
    await saveSnapshot(store, 4);
    expect(await create()).toEqual([409, 'SLOT_CLOSED']);
    expect(await usedOf(running, noon.id)).toBe(3);
  });
});
