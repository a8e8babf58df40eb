import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { eventsOf, logOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { miscounted, setStatus, slotIn, wholeStore } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;
let slot: ReturnType<typeof slotIn>;

beforeAll(async () => {
  running = await startRunning();
  slot = slotIn(running, 60);
  store = await running.openStore({}, undefined, [slot]);
});
afterEach(async () => {
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const staff = () => worker(running, store);
const collect = { order_type: 'collect' };
const publishedMoves = async (id: string) =>
  (await eventsOf(running, id)).filter(({ type }) => type === 'order.fulfilment_changed').map(({ data }) => [data.from, data.to]);

test('each step of a collect order has its time, one event and one log entry', async () => {
  const order = await customer(running).paid(store, { slot_id: slot.id });
  const start = running.clock.now().getTime();
  for (const step of ['preparing', 'ready', 'collected']) {
    running.clock.advance({ minutes: 1 });
    const { status, body } = await staff().advance(order.order_id, step);
    expect([status, body.order]).toMatchObject([
      200,
      { id: order.order_id, fulfilment_status: step, status: 'paid', order_type: 'collect' },
    ]);
    expect(Date.parse(body.order[`${step}_at`])).toBe(running.clock.now().getTime());
  }
  const { body } = await staff().get(order.order_id);
  const minutes = ['accepted', 'preparing', 'ready', 'collected'].map((step) => (Date.parse(body.order[`${step}_at`]) - start) / 60_000);
  expect(minutes).toEqual([0, 1, 2, 3]);
  expect(await publishedMoves(order.order_id)).toEqual([
    [null, 'accepted'],
    ['accepted', 'preparing'],
    ['preparing', 'ready'],
    ['ready', 'collected'],
  ]);
  expect((await eventsOf(running, order.order_id)).at(-1)?.data.collection_code).toBe(body.order.collection_code);
  const owner = worker(running, store, 'merchant');
  const { entries } = (await owner.call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`)).body;
  expect(entries.slice(0, 3)).toMatchObject([
    { title: 'The order was handed over', actor: 'Ada', detail: null },
    { title: 'The order is ready', actor: 'Ada', detail: null },
    { title: 'Preparation began', actor: 'Ada', detail: null },
  ]);
  const seen = await setStatus(staff(), store, order.order_id, 'fulfilled');
  expect(Date.parse(seen.body.order.fulfilled_at)).toBe(running.clock.now().getTime());
});

test('the same fulfilment status again changes nothing, even twenty times at once', async () => {
  const order = await customer(running).paid(store, collect);
  for (const step of ['accepted', 'preparing', 'ready', 'collected', 'collected']) {
    const first = await Promise.all(Array.from({ length: 20 }, () => staff().advance(order.order_id, step)));
    expect(first.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const before = await wholeStore(running, store);
    running.clock.advance({ seconds: 20 });
    expect((await staff().advance(order.order_id, step)).body).toEqual(first[0]?.body);
    expect(await wholeStore(running, store)).toEqual(before);
  }
  expect(await publishedMoves(order.order_id)).toHaveLength(4);
});

test('a refused step changes nothing, and its problem names the present and the allowed statuses', async () => {
  const order = await customer(running).paid(store, collect);
  const expectNo = async (to: string, message: string) => {
    const before = await wholeStore(running, store);
    const { status, body } = await staff().advance(order.order_id, to);
    expect([status, body.error]).toMatchObject([409, { code: 'INVALID_TRANSITION', message }]);
    expect(await wholeStore(running, store)).toEqual(before);
  };
  await expectNo('collected', 'to_status: the order is accepted and cannot become collected; allowed: preparing, cancelled.');
  await staff().advance(order.order_id, 'preparing');
  await expectNo('accepted', 'to_status: the order is preparing and cannot become accepted; allowed: ready, cancelled.');
  await staff().advance(order.order_id, 'ready');
  await expectNo('preparing', 'to_status: the order is ready and cannot become preparing; allowed: collected, cancelled.');
  await staff().advance(order.order_id, 'collected');
  await expectNo('cancelled', 'to_status: the order is collected and cannot become cancelled; allowed: nothing: it has ended.');
});

test('a store without auto_accept accepts an order by hand, once', async () => {
  const own = await running.openStore({ auto_accept: false });
  const order = await customer(running).paid(own, collect);
  const by = worker(running, own);
  const early = await by.advance(order.order_id, 'preparing');
  expect(early.body.error.message).toBe(
    'to_status: the order is not accepted yet and cannot become preparing; allowed: accepted, cancelled.',
  );
  const { body } = await by.advance(order.order_id, 'accepted');
  expect(Date.parse(body.order.accepted_at)).toBe(running.clock.now().getTime());
  expect(await publishedMoves(order.order_id)).toEqual([[null, 'accepted']]);
});

test('of staff who advance one order differently at once one succeeds and the others receive INVALID_TRANSITION', async () => {
  for (let round = 0; round < 10; round += 1) {
    const order = await customer(running).paid(store, collect);
    for (const step of ['preparing', 'ready']) await staff().advance(order.order_id, step);
    const responses = await Promise.all(['collected', 'cancelled'].map((step) => staff().advance(order.order_id, step)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(responses.map(({ body }) => body.error?.code)).toContain('INVALID_TRANSITION');
    const won = responses.find(({ status }) => status === 200)?.body.order.fulfilment_status;
    expect((await logOf(running, order.order_id)).slice(4)).toEqual([won]);
  }
});

test('a buy-now order, an unpaid order and an order of another store cannot be advanced', async () => {
  const ada = customer(running);
  const now = await ada.paid(store);
  const { body: unpaid } = await ada.create(store, collect);
  const before = await wholeStore(running, store);
  expect(codeOf(await staff().advance(now.order_id, 'preparing'))).toEqual([409, 'FULFILMENT_NOT_APPLICABLE']);
  for (const to of ['accepted', 'cancelled']) {
    expect(codeOf(await staff().advance(unpaid.order_id, to))).toEqual([409, 'ORDER_NOT_PAID']);
  }
  expect(codeOf(await staff().advance(randomUUID(), 'preparing'))).toEqual([404, 'ORDER_NOT_FOUND']);
  const other = await running.openStore();
  expect(codeOf(await worker(running, other).advance(now.order_id, 'preparing'))).toEqual([404, 'ORDER_NOT_FOUND']);
  for (const to of ['pending', 'fulfilled', '']) expect((await staff().advance(now.order_id, to)).status).toBe(400);
  const request = { store_id: store.id, to_status: 'preparing' };
  expect((await ada.call('PATCH', `/api/v1/orders/${now.order_id}/fulfilment`, request)).status).toBe(403);
  expect(await wholeStore(running, store)).toEqual(before);
});
