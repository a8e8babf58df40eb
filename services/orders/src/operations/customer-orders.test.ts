// covers: listMyOrders, getMyOrder
import { randomUUID } from 'node:crypto';
import { openEventStream } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const refusal = ({ status, body }: ApiResponse) => [status, body.error.code];
type Customer = ReturnType<typeof customer>;
const read = (who: Customer, id: string, headers = {}) => who.call('GET', `/api/v1/orders/${id}/mine`, undefined, headers);
const list = (who: Customer, query = '') => who.call('GET', `/api/v1/orders/mine${query}`);
const mixed = {
  items: [],
  fulfilment_groups: [
    { role: 'now', items: [{ menu_item_id: 'flat-white', quantity: 1 }] },
    { role: 'collect', items: [{ menu_item_id: 'croissant', quantity: 2 }] },
  ],
};

test('a customer reads their order with every field of it, and nothing that is the store’s alone', async () => {
  const ana = customer(running);
  const { order_id, order_number } = await ana.paid(store, { order_type: 'collect', tip_pence: 50 });
  const { status, body } = await read(ana, order_id);
  expect(status).toBe(200);
  expect(body.order).toEqual({
    ...{ id: order_id, store_id: store.id, store_name: 'Corner Coffee', order_number, status: 'paid', order_type: 'collect' },
    ...{ fulfilment_status: 'accepted', collection_code: expect.any(String), collection_mode: 'now', table_number: null },
    ...{ requested_collection_at: expect.any(String), revised_ready_at: null, prep_minutes: 5, created_at: expect.any(String) },
    ...{ accepted_at: expect.any(String), preparing_at: null, ready_at: null, collected_at: null },
    ...{ total_pence: 690, currency: 'GBP', tip_pence: 50, discount_pence: 0, refunded_pence: 0 },
    items: [
      { menu_item_id: 'flat-white', name: 'Flat white', quantity: 1, unit_price_pence: 350, total_pence: 350 },
      { menu_item_id: 'croissant', name: 'Croissant', quantity: 1, unit_price_pence: 290, total_pence: 290 },
    ],
    children: [],
  });
});

test('a mixed order has its legs, and the id of a leg reads the whole order', async () => {
  const ana = customer(running);
  const { order_id } = await ana.paid(store, mixed);
  const { body } = await read(ana, order_id);
  expect(body.order.children).toMatchObject([{ fulfilment_status: 'accepted', total_pence: 580 }]);
  expect((await read(ana, body.order.children[0].order_id)).body).toEqual(body);
  expect((await list(ana)).body.orders).toEqual([body.order]);
});

test('the order of another customer is not there, and staff cannot read it this way', async () => {
  const { order_id } = await customer(running).paid(store);
  expect(refusal(await read(customer(running), order_id))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(refusal(await read(customer(running), randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(refusal(await worker(running, store).call('GET', `/api/v1/orders/${order_id}/mine`))).toEqual([403, 'WRONG_TOKEN_TYPE']);
});

test('a customer pages through their own orders of all stores, newest first, and gets each once', async () => {
  const ana = customer(running);
  const other = await running.openStore({ name: 'The Other' });
  await customer(running).paid(store);
  const placed: string[] = [];
  for (const at of [store, other, store, other, store])
    placed.push((await ana.paid(at, { items: [{ menu_item_id: 'sample', quantity: 1 }] })).order_id);
  const paged: string[] = [];
  for (let query = '?limit=2'; query; ) {
    const { orders } = (await list(ana, query)).body;
    paged.push(...orders.map(({ id }: { id: string }) => id));
    const last = orders.at(-1);
    query = orders.length < 2 ? '' : `?limit=2&before=${last.created_at}&before_id=${last.id}`;
  }
  expect(paged).toEqual(placed.toReversed());
  expect(refusal(await list(ana, '?before=yesterday'))).toEqual([400, 'INVALID_CURSOR']);
});

test('a read that names the tag it has gets 304, until the order changes', async () => {
  const ana = customer(running);
  const { order_id } = await ana.paid(store, { order_type: 'collect' });
  const first = await ana.open(`/api/v1/orders/${order_id}/mine`);
  const etag = first.headers.get('etag') ?? '';
  expect([first.status, first.headers.get('cache-control'), etag]).toEqual([
    200,
    'private, no-cache',
    expect.stringMatching(/^"[\w-]{22}"$/),
  ]);
  const again = () => ana.open(`/api/v1/orders/${order_id}/mine`, { 'If-None-Match': etag });
  expect([(await again()).status, await (await again()).text()]).toEqual([304, '']);
  await worker(running, store).advance(order_id, 'preparing');
  expect((await again()).status).toBe(200);
});

test('an order is followed: each change comes as an event, and a client that comes back gets what it has missed', async () => {
  const ana = customer(running);
  const staff = worker(running, store);
  const { order_id } = await ana.paid(store, { order_type: 'collect' });
  const path = `/api/v1/orders/${order_id}/mine`;
  const statusOf = async (stream: Awaited<ReturnType<typeof openEventStream>>) =>
    JSON.parse((await stream.next()).data).order.fulfilment_status;
  const stream = await openEventStream(await ana.open(path, { Accept: 'text/event-stream' }));
  expect(await statusOf(stream)).toBe('accepted');
  await staff.advance(order_id, 'preparing');
  expect(await statusOf(stream)).toBe('preparing');
  await stream.close();

  await staff.advance(order_id, 'ready');
  const back = await openEventStream(await ana.open(path, { Accept: 'text/event-stream', 'Last-Event-ID': stream.lastId }));
  expect(await statusOf(back)).toBe('ready');
  await back.close();

  const current = await openEventStream(await ana.open(path, { Accept: 'text/event-stream', 'Last-Event-ID': back.lastId }));
  await staff.advance(order_id, 'collected');
  // Nothing came before the change: the client had the newest state.
  expect(await statusOf(current)).toBe('collected');
  await current.close();
});

test('a stream is refused as a read is, and one caller may have ten', async () => {
  const ana = customer(running);
  const { order_id } = await ana.paid(store);
  const follow = (who: Customer) => who.open(`/api/v1/orders/${order_id}/mine`, { Accept: 'text/event-stream' });
  const stranger = await follow(customer(running));
  expect([stranger.status, ((await stranger.json()) as ApiResponse['body']).error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  const streams = await Promise.all(Array.from({ length: 10 }, async () => await openEventStream(await follow(ana))));
  const eleventh = await follow(ana);
  expect([eleventh.status, ((await eleventh.json()) as ApiResponse['body']).error.code, eleventh.headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    '5',
  ]);
  for (const stream of streams) await stream.close();
});
