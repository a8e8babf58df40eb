import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customer, pay, worker } from '../testing/callers.ts';
import { usedOf } from '../testing/counts.ts';
import { eventsOf, logOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, miscounted, setStatus, slotIn, wholeStore } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;
let slot: ReturnType<typeof slotIn>;

beforeAll(async () => {
  running = await startRunning();
  slot = slotIn(running, 60, 400);
  store = await running.openStore({}, countedMenu, [slot]);
});
afterEach(async () => {
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const staff = () => worker(running, store);
const publishedTypes = async (id: string) => (await eventsOf(running, id)).map(({ type }) => type);
const ends = async (id: string) => (await logOf(running, id)).filter((kind) => kind === 'collected' || kind === 'cancelled');
const toReady = async (...legs: string[]) => {
  for (const leg of legs) for (const step of ['preparing', 'ready']) expect((await staff().advance(leg, step)).status).toBe(200);
};

/** Creates a paid order with legs of one cake and one place each, and with `now` a croissant taken at once. */
async function mixed(legs: number, now = true) {
  const by = customer(running);
  const own = now ? [{ role: 'now', items: [{ menu_item_id: 'croissant', quantity: 1 }] }] : [];
  const groups = Array.from({ length: legs }, () => ({
    role: 'collect',
    slot_id: slot.id,
    items: [{ menu_item_id: 'cake', quantity: 1 }],
  }));
  const { body: order } = await by.create(store, { items: [], fulfilment_groups: [...own, ...groups] });
  await pay(running, order.payment_intent_id);
  const { body } = await by.confirm(store, order.payment_intent_id);
  expect(body.children).toHaveLength(legs);
  return { by, id: order.order_id as string, legs: body.children.map(({ order_id }: { order_id: string }) => order_id) as string[] };
}

const State = z.object({ id: z.string(), business: z.string(), fulfilment: z.string() });
/** Reads the states of an order and its legs, the order first. */
const statesOf = async (id: string) =>
  (
    await running.service.database.any(sql.type(State)`
      select id, business_status as business, fulfilment_status as fulfilment from orders
      where id = ${id} or parent_order_id = ${id} order by parent_order_id nulls first, order_number`)
  ).map(({ business, fulfilment }) => `${business} ${fulfilment}`);

test('cancelling the order cancels its open legs and keeps the collected ones', async () => {
  const { id, legs } = await mixed(3);
  const [first, second, third] = legs as [string, string, string];
  await toReady(first, second);
  await staff().advance(first, 'collected');
  const [used, taken] = [await usedOf(running, slot.id), await takenOf(running, store.id, 'cake')];
  const { body } = await setStatus(staff(), store, id, 'cancelled', 'Power cut.');
  expect(body.order).toMatchObject({ id, status: 'cancelled' });
  expect(await statesOf(id)).toEqual(['cancelled cancelled', 'fulfilled collected', 'cancelled cancelled', 'cancelled cancelled']);
  // Two places are released, and the one cake that was not made yet.
  expect([await usedOf(running, slot.id), await takenOf(running, store.id, 'cake')]).toEqual([used - 2, taken - 1]);
  expect((await publishedTypes(id)).slice(1)).toEqual(['order.status_changed', 'order.cancelled']);
  expect((await publishedTypes(third)).slice(-2)).toEqual(['order.fulfilment_changed', 'order.cancelled']);
  expect(await publishedTypes(first)).not.toContain('order.cancelled');
  const owner = worker(running, store, 'merchant');
  const { entries } = (await owner.call('GET', `/api/v1/orders/${id}/log?store_id=${store.id}`)).body;
  expect(entries[0]).toMatchObject({
    title: 'The order was cancelled',
    detail: expect.stringMatching(/^Power cut\. No refund was made\. £[\d.]+ can be refunded\.$/),
    actor: 'Ada',
  });
  const before = await wholeStore(running, store);
  for (const one of [id, second, third]) expect((await setStatus(staff(), store, one, 'cancelled')).status).toBe(200);
  expect(await wholeStore(running, store)).toEqual(before);
});

test('cancelling a leg changes only that leg', async () => {
  const { id, legs } = await mixed(2);
  const [first, second] = legs as [string, string];
  const [used, taken] = [await usedOf(running, slot.id), await takenOf(running, store.id, 'cake')];
  expect((await staff().advance(first, 'cancelled')).body.order).toMatchObject({ id: first, fulfilment_status: 'cancelled' });
  expect(await statesOf(id)).toEqual(['placed accepted', 'cancelled cancelled', 'placed accepted']);
  expect([await usedOf(running, slot.id), await takenOf(running, store.id, 'cake')]).toEqual([used - 1, taken - 1]);
  expect(await publishedTypes(id)).toEqual(['order.paid']);
  expect(await publishedTypes(second)).toEqual(['order.fulfilment_changed']);
  expect(await ends(id)).toEqual([]);
});

test('the last leg to end ends the order when its own part was handed over', async () => {
  const { id, legs } = await mixed(2);
  const [first, second] = legs as [string, string];
  await setStatus(staff(), store, id, 'fulfilled');
  expect(await statesOf(id)).toEqual(['placed collected', 'placed accepted', 'placed accepted']);
  expect((await setStatus(staff(), store, id, 'ready')).body.error.message).toBe(
    'status: the order is handed over and cannot become ready; allowed: cancelled.',
  );
  await toReady(first, second);
  await staff().advance(first, 'collected');
  expect((await statesOf(id))[0]).toBe('placed collected');
  running.clock.advance({ minutes: 1 });
  await staff().advance(second, 'cancelled');
  expect(await statesOf(id)).toEqual(['fulfilled collected', 'fulfilled collected', 'cancelled cancelled']);
  expect((await publishedTypes(id)).slice(1)).toEqual(['order.status_changed']);
  expect((await eventsOf(running, id)).at(-1)?.data).toMatchObject({ from: 'placed', to: 'fulfilled' });
  const { body } = await staff().get(id);
  // Its own part was handed over a minute before the order ended.
  expect(Date.parse(body.order.collected_at)).toBe(running.clock.now().getTime() - 60_000);
});

test('when all legs have ended the order ends with its own part', async () => {
  const { id, legs } = await mixed(1);
  await toReady(...legs);
  await staff().advance(legs[0] as string, 'collected');
  expect(await statesOf(id)).toEqual(['placed accepted', 'fulfilled collected']);
  await setStatus(staff(), store, id, 'fulfilled');
  expect(await statesOf(id)).toEqual(['fulfilled collected', 'fulfilled collected']);
});

test('an order that consists of its legs alone ends as they do', async () => {
  const given = await mixed(2, false);
  await toReady(...given.legs);
  await staff().advance(given.legs[0] as string, 'cancelled');
  await staff().advance(given.legs[1] as string, 'collected');
  expect((await statesOf(given.id))[0]).toBe('fulfilled collected');
  const lost = await mixed(2, false);
  for (const leg of lost.legs) await staff().advance(leg, 'cancelled');
  expect((await statesOf(lost.id))[0]).toBe('cancelled cancelled');
  expect((await publishedTypes(lost.id)).slice(1)).toEqual(['order.status_changed', 'order.cancelled']);
});

test('legs that several staff end at once end the order exactly once', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id, legs } = await mixed(5, round % 2 === 0);
    if (round % 2 === 0) await setStatus(staff(), store, id, 'fulfilled');
    await toReady(...legs);
    const before = (await ends(id)).length;
    const responses = await Promise.all(legs.map((leg, n) => staff().advance(leg, n % 2 ? 'cancelled' : 'collected')));
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect((await statesOf(id))[0]).toBe('fulfilled collected');
    expect((await ends(id)).length).toBe(before + 1);
    expect((await publishedTypes(id)).filter((type) => type === 'order.status_changed')).toHaveLength(1);
  }
});

test('cancelling the order while its legs are handed over ends each leg one way and the order once', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id, legs } = await mixed(3);
    await toReady(...legs);
    const [order, ...given] = await Promise.all([
      setStatus(staff(), store, id, 'cancelled'),
      ...legs.map((leg) => staff().advance(leg, 'collected')),
    ]);
    expect(order?.status).toBe(200);
    const [main, ...states] = await statesOf(id);
    expect(main).toBe('cancelled cancelled');
    expect(states).toEqual(given.map(({ status }) => (status === 200 ? 'fulfilled collected' : 'cancelled cancelled')));
    for (const { status, body } of given) expect([200, 'INVALID_TRANSITION']).toContain(status === 200 ? 200 : body.error.code);
  }
});

test('a leg moves to an earlier slot by itself', async () => {
  const soon = slotIn(running, 30, 1);
  const later = slotIn(running, 60);
  const own = await running.openStore({}, countedMenu, [soon, later]);
  const by = customer(running);
  const group = { role: 'collect', slot_id: later.id, items: [{ menu_item_id: 'cake', quantity: 1 }] };
  const { body: order } = await by.create(own, { items: [], fulfilment_groups: [group, group] });
  await pay(running, order.payment_intent_id);
  const [first] = (await by.confirm(own, order.payment_intent_id)).body.children;
  for (const step of ['preparing', 'ready']) await worker(running, own).advance(first.order_id, step);
  const request = { store_id: own.id, order_id: first.order_id, slot_id: soon.id };
  expect((await by.call('POST', '/api/v1/orders/collect-earlier', request)).body.orders_remaining).toBe(0);
  expect([await usedOf(running, soon.id), await usedOf(running, later.id)]).toEqual([1, 1]);
});

test('a leg of an unpaid order cannot be cancelled by itself; the order can, and releases its legs’ holds', async () => {
  const group = { role: 'collect', slot_id: slot.id, items: [{ menu_item_id: 'cake', quantity: 1 }] };
  const { body: order } = await customer(running).create(store, { items: [], fulfilment_groups: [group, group] });
  const leg = await running.service.database.oneFirst(
    sql.type(z.object({ id: z.string() }))`select id from orders where parent_order_id = ${order.order_id} order by order_number limit 1`,
  );
  const before = await wholeStore(running, store);
  const refused = await setStatus(staff(), store, leg, 'cancelled');
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: 'ORDER_NOT_PAID', message: expect.stringContaining('cancel the whole order') },
  ]);
  expect(await wholeStore(running, store)).toEqual(before);
  const used = await usedOf(running, slot.id);
  expect((await setStatus(staff(), store, order.order_id, 'cancelled')).status).toBe(200);
  expect(await usedOf(running, slot.id)).toBe(used - 2);
  expect(await publishedTypes(order.order_id)).toEqual(['order.cancelled']);
});
