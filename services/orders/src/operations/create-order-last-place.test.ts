import { randomUUID } from 'node:crypto';
import { directorySlots } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiResponse, customer, pay, worker } from '../testing/callers.ts';
import { expireOverdue, usedOf } from '../testing/counts.ts';
import { logOf, ordersOf, takenOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { saveSlots } from '../transactions/save-slots.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** A slot tomorrow with the given capacity. */
function slot({ capacity }: { capacity: number | null }) {
  const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
  return { id: randomUUID(), starts_at: at(24), ends_at: at(25), capacity, open: true };
}

const storeWith = (...slots: ReturnType<typeof slot>[]) => running.openStore({}, menu, slots);
const outcomeOf = ({ status, body }: ApiResponse) => [status, body.error?.code];

/** The next snapshot of a store's slots. */
const saveSnapshot = async (store: OpenStore, version: number, ...slots: ReturnType<typeof slot>[]) =>
  await running.service.database.transaction((tx) => saveSlots(tx, directorySlots.data.parse({ version, store_id: store.id, slots })));

test('of fifty customers for three places, three get one and 47 receive SLOT_JUST_FILLED', async () => {
  const noon = slot({ capacity: 3 });
  const store = await storeWith(noon);
  const responses = await Promise.all(Array.from({ length: 50 }, () => customer(running).create(store, { slot_id: noon.id })));
  const count = (code: string) => responses.filter((response) => outcomeOf(response).join(' ') === code).length;
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
      await pay(running, order.payment_intent_id);
      await ada.confirm(store, order.payment_intent_id);
    }
    const ben = worker(running, store);
    const cancel = () => ben.call('PATCH', `/api/v1/orders/${order.order_id}/status`, { store_id: store.id, status: 'cancelled' });
    const responses = await Promise.all([cancel(), cancel(), cancel(), cancel(), cancel()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await usedOf(running, noon.id)).toBe(1);
    expect(outcomeOf(await ada.create(store, { slot_id: noon.id }))).toEqual([200, undefined]);
    expect(outcomeOf(await ada.create(store, { slot_id: noon.id }))).toEqual([409, 'SLOT_JUST_FILLED']);
  });
});

test('a capacity lowered below the used places keeps them and fills the slot; raised again, it accepts more orders', async () => {
  const noon = slot({ capacity: 3 });
  const store = await storeWith(noon);
  const ada = customer(running);
  const create = async () => outcomeOf(await ada.create(store, { slot_id: noon.id }));
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
