import { randomUUID } from 'node:crypto';
import type { Transaction } from '@corner/chassis';
import { directorySlots } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { saveSlots } from '../shop/transactions.ts';
import { type ApiResponse, codeOf, customer, worker } from '../testing/callers.ts';
import { eventsOf, usedOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, miscounted, slotIn, wholeStore } from '../testing/whole-store.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterEach(async () => {
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const opened = (...slots: Slot[]) => running.openStore({}, countedMenu, slots);
const waiting = (store: OpenStore, slot: Slot) => waitingFor(running, store, slot);

const placeOf = async (orderId: string) =>
  await running.service.database.one(sql.type(z.object({ slot_id: z.string(), at: z.number(), version: z.number() }))`
    select slot_id, (extract(epoch from requested_collection_at) * 1000)::float8 as at, version from orders where id = ${orderId}`);
const publishedSlots = async (orderId: string) => (await eventsOf(running, orderId)).filter(({ type }) => type === 'order.slot_moved');

test('a ready order moves to an earlier slot, and the place it leaves is free at once', async () => {
  const [soon, later] = [slotIn(running, 30, 3), slotIn(running, 60, 1)];
  const store = await opened(soon, later);
  const ada = await waiting(store, later);
  const before = await placeOf(ada.id);
  const { status, body } = await earlier(ada.by, store, ada.id, soon.id);
  expect([status, body]).toEqual([200, { to_slot_id: soon.id, requested_collection_at: expect.any(String), orders_remaining: 2 }]);
  expect(Date.parse(body.requested_collection_at)).toBe(Date.parse(soon.starts_at));
  expect(await placeOf(ada.id)).toEqual({ slot_id: soon.id, at: Date.parse(soon.starts_at), version: before.version + 1 });
  expect([await usedOf(running, soon.id), await usedOf(running, later.id)]).toEqual([1, 0]);
  expect((await publishedSlots(ada.id)).map(({ data }) => data)).toMatchObject([{ from_slot_id: later.id, to_slot_id: soon.id }]);
  const owner = worker(running, store, 'merchant');
  const { entries } = (await owner.call('GET', `/api/v1/orders/${ada.id}/log?store_id=${store.id}`)).body;
  const minute = (slot: Slot) => `${slot.starts_at.slice(0, 16)}Z`;
  expect(entries[0]).toMatchObject({ title: 'The customer collects earlier', detail: `From ${minute(later)} to ${minute(soon)}.` });
  expect((await customer(running).create(store, { slot_id: later.id })).status).toBe(200);
  expect(await usedOf(running, later.id)).toBe(1);
});

test('orders_remaining is exact down to zero, and null for a slot without a capacity', async () => {
  const [uncapped, soon, later] = [slotIn(running, 15), slotIn(running, 30, 2), slotIn(running, 60)];
  const store = await opened(uncapped, soon, later);
  const [ada, bob, cleo] = [await waiting(store, later), await waiting(store, later), await waiting(store, later)];
  expect((await earlier(ada.by, store, ada.id, soon.id)).body.orders_remaining).toBe(1);
  expect((await earlier(bob.by, store, bob.id, soon.id)).body.orders_remaining).toBe(0);
  expect(codeOf(await earlier(cleo.by, store, cleo.id, soon.id))).toEqual([409, 'SLOT_JUST_FILLED']);
  expect((await earlier(cleo.by, store, cleo.id, uncapped.id)).body.orders_remaining).toBeNull();
});

test('twenty concurrent requests for the same slot move the order once and return the same', async () => {
  const [soon, later] = [slotIn(running, 30, 1), slotIn(running, 60, 1)];
  const store = await opened(soon, later);
  const ada = await waiting(store, later);
  const responses = await Promise.all(Array.from({ length: 20 }, () => earlier(ada.by, store, ada.id, soon.id)));
  for (const { status, body } of responses) expect([status, body]).toEqual([200, responses[0]?.body]);
  expect(await publishedSlots(ada.id)).toHaveLength(1);
  const before = await wholeStore(running, store);
  expect((await earlier(ada.by, store, ada.id, soon.id)).body).toEqual(responses[0]?.body);
  expect(await wholeStore(running, store)).toEqual(before);
});

test('moves between two full slots are refused in both directions', async () => {
  const [soon, later] = [slotIn(running, 30, 1), slotIn(running, 60, 1)];
  const store = await opened(soon, later);
  const [ada, bob] = [await waiting(store, soon), await waiting(store, later)];
  for (let round = 0; round < 10; round += 1) {
    const responses = await Promise.all([earlier(ada.by, store, ada.id, later.id), earlier(bob.by, store, bob.id, soon.id)]);
    expect(responses.map(codeOf)).toEqual([
      [400, 'NOT_EARLIER'],
      [409, 'SLOT_JUST_FILLED'],
    ]);
  }
});

test('a slot that is later, closed, past or of another store is refused and nothing changes', async () => {
  const past = slotIn(running, -60);
  const begun = slotIn(running, -5);
  const [closed, same, later, much] = [slotIn(running, 10, null, false), slotIn(running, 60), slotIn(running, 60), slotIn(running, 90)];
  const store = await opened(past, begun, closed, same, later, much);
  const elsewhere = slotIn(running, 10);
  await opened(elsewhere);
  const ada = await waiting(store, later);
  const before = await wholeStore(running, store);
  const refusals = [
    [much, [400, 'NOT_EARLIER']],
    [same, [400, 'NOT_EARLIER']],
    [closed, [409, 'SLOT_CLOSED']],
    [past, [409, 'SLOT_CLOSED']],
    [elsewhere, [404, 'SLOT_NOT_FOUND']],
    [{ id: randomUUID() }, [404, 'SLOT_NOT_FOUND']],
  ] as const;
  for (const [slot, expected] of refusals) expect(codeOf(await earlier(ada.by, store, ada.id, slot.id))).toEqual(expected);
  expect((await earlier(ada.by, store, ada.id, 'soon')).status).toBe(400);
  expect(await wholeStore(running, store)).toEqual(before);
  expect((await earlier(ada.by, store, ada.id, begun.id)).status).toBe(200);
});

test('only the caller’s own order that is ready and has a slot can be moved', async () => {
  const [soon, later] = [slotIn(running, 30), slotIn(running, 60)];
  const store = await opened(soon, later);
  const staff = worker(running, store);
  const by = customer(running);
  const ask = (orderId: string) => earlier(by, store, orderId, soon.id);
  const { body: unpaid } = await by.create(store, { slot_id: later.id });
  expect(codeOf(await ask(unpaid.order_id))).toEqual([409, 'ORDER_NOT_READY']);
  const { order_id: id } = await by.paid(store, { slot_id: later.id });
  const published = { preparing: 'ORDER_NOT_READY', ready: undefined, collected: 'ORDER_NOT_READY' };
  expect(codeOf(await ask(id))).toEqual([409, 'ORDER_NOT_READY']);
  for (const [step, code] of Object.entries(published)) {
    await staff.advance(id, step);
    expect((await ask(id)).body.error?.code).toBe(code);
  }
  const { order_id: asap } = await by.paid(store, { order_type: 'collect' });
  for (const step of ['preparing', 'ready']) await staff.advance(asap, step);
  expect(codeOf(await ask(asap))).toEqual([409, 'ORDER_HAS_NO_SLOT']);
  const { order_id: now } = await by.paid(store);
  await staff.call('PATCH', `/api/v1/orders/${now}/status`, { store_id: store.id, status: 'ready' });
  expect(codeOf(await ask(now))).toEqual([409, 'ORDER_HAS_NO_SLOT']);

  const ada = await waiting(store, later);
  const before = await wholeStore(running, store);
  expect(codeOf(await ask(ada.id))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(codeOf(await ask(randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(codeOf(await earlier(ada.by, await opened(soon), ada.id, soon.id))).toEqual([404, 'ORDER_NOT_FOUND']);
  const request = { store_id: store.id, order_id: ada.id, slot_id: soon.id };
  expect((await staff.call('POST', '/api/v1/orders/collect-earlier', request)).status).toBe(403);
  expect(await wholeStore(running, store)).toEqual(before);
});

test('a slot whose capacity was lowered below its used places is full until enough are released', async () => {
  const [soon, later] = [slotIn(running, 30, 1), slotIn(running, 60)];
  const store = await opened(soon, later);
  const [ada, bob] = [await waiting(store, soon), await waiting(store, later)];
  await running.service.database.query(sql.type(z.object({}))`update slot set capacity = 0, over_capacity = 1 where id = ${soon.id}`);
  expect(codeOf(await earlier(bob.by, store, bob.id, soon.id))).toEqual([409, 'SLOT_JUST_FILLED']);
  const kept = await earlier(ada.by, store, ada.id, soon.id);
  expect([kept.status, kept.body.orders_remaining]).toEqual([200, 0]);
});

describe('at once', () => {
  test('of twenty customers who move to one free place one succeeds, and the others keep their slots', async () => {
    const [soon, later] = [slotIn(running, 30, 1), slotIn(running, 60, 20)];
    const store = await opened(soon, later);
    const crowd = await Promise.all(Array.from({ length: 20 }, () => waiting(store, later)));
    const before = await Promise.all(crowd.map(({ id }) => placeOf(id)));
    const responses = await Promise.all(crowd.map(({ by, id }) => earlier(by, store, id, soon.id)));
    const won = responses.findIndex(({ status }) => status === 200);
    expect(responses[won]?.body.orders_remaining).toBe(0);
    for (const [n, { id }] of crowd.entries()) {
      if (n === won) continue;
      expect(codeOf(responses[n] as ApiResponse)).toEqual([409, 'SLOT_JUST_FILLED']);
      expect(await placeOf(id)).toEqual(before[n]);
      expect(await publishedSlots(id)).toEqual([]);
    }
    expect([await usedOf(running, soon.id), await usedOf(running, later.id)]).toEqual([1, 19]);
  });

  test('many concurrent moves between the same slots, with cancellations, all end without deadlock', async () => {
    const [soon, later, last] = [slotIn(running, 15, 4), slotIn(running, 30, 4), slotIn(running, 60, 20)];
    const store = await opened(soon, later, last);
    const crowd = await Promise.all(
      [soon, soon, later, later, ...Array.from({ length: 12 }, () => last)].map((slot) => waiting(store, slot)),
    );
    const responses = await Promise.all(
      crowd.flatMap(({ by, id }, n) => [
        earlier(by, store, id, soon.id),
        earlier(by, store, id, later.id),
        ...(n % 3 === 0 ? [worker(running, store).advance(id, 'cancelled')] : []),
        ...(n % 4 === 0 ? [customer(running).create(store, { slot_id: n % 8 ? soon.id : later.id })] : []),
      ]),
    );
    const known = ['SLOT_JUST_FILLED', 'NOT_EARLIER', 'ORDER_NOT_READY', undefined];
    for (const response of responses) expect(known).toContain(response.body.error?.code);
    for (const slot of [soon, later]) expect(await usedOf(running, slot.id)).toBeLessThanOrEqual(4);
  });

  test.each([false, true])(
    'moves to the earlier slot beside orders that take both, and a directory that says anew (ids reversed: %s)',
    async (reversed) => {
      const [soon, later] = [slotIn(running, 30, 40), slotIn(running, 60, 60)];
      if (reversed === soon.id < later.id) [soon.id, later.id] = [later.id, soon.id];
      const store = await opened(soon, later);
      const crowd = await Promise.all(Array.from({ length: 16 }, () => waiting(store, later)));
      const both = [soon, later].map(({ id }) => ({ role: 'collect', slot_id: id, items: [{ menu_item_id: 'croissant', quantity: 2 }] }));
      const { database } = running.service;
      const responses = await Promise.all(
        crowd.flatMap(({ by, id }, n) => [
          earlier(by, store, id, soon.id),
          customer(running).create(store, { items: [], fulfilment_groups: both }),
          ...(n % 4 === 0
            ? [
                database.transaction(async (tx) => {
                  await saveSlots(tx, directorySlots.data.parse({ version: n + 2, store_id: store.id, slots: [soon, later] }));
                }),
              ]
            : []),
        ]),
      );
      for (const response of responses) if (response) expect(codeOf(response)).toEqual([200, undefined]);
      expect([await usedOf(running, soon.id), await usedOf(running, later.id)]).toEqual([32, 16]);
    },
  );

  test.each([false, true])('slots are locked in order of id, as placing an order locks them (ids reversed: %s)', async (reversed) => {
    const [soon, later] = [slotIn(running, 30), slotIn(running, 60)];
    if (reversed === soon.id < later.id) [soon.id, later.id] = [later.id, soon.id];
    const store = await opened(soon, later);
    const ada = await waiting(store, later);
    const [first, second] = [soon.id, later.id].sort() as [string, string];
    const { database } = running.service;
    const lock = (tx: Transaction, id: string) =>
      tx.maybeOne(sql.type(z.object({ id: z.string() }))`
      select id from slot where id = ${id} for update skip locked`);
    const moved = await database.transaction(async (tx) => {
      await lock(tx, first);
      const moving = earlier(ada.by, store, ada.id, soon.id);
      const blocked = () =>
        tx.exists(sql.type(z.object({}))`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`);
      await until(blocked, { describe: 'a move that waits for the first slot' });
      // While the first slot is locked, the waiting request has not locked the second.
      expect(await lock(tx, second)).not.toBeNull();
      return { moving };
    });
    expect((await moved.moving).status).toBe(200);
  });
});

type Slot = ReturnType<typeof slotIn>;

const earlier = (by: ReturnType<typeof customer>, store: OpenStore, orderId: string, slotId: string) =>
  by.call('POST', '/api/v1/orders/collect-earlier', { store_id: store.id, order_id: orderId, slot_id: slotId });

async function waitingFor(running: Running, store: OpenStore, slot: Slot) {
  const by = customer(running);
  const order = await by.paid(store, { slot_id: slot.id });
  const staff = worker(running, store);
  for (const step of ['preparing', 'ready']) await staff.advance(order.order_id, step);
  return { by, id: order.order_id as string };
}
