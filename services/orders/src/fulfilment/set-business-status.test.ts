// covers: setBusinessStatus

import { randomUUID } from 'node:crypto';
import { orders } from '@corner/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { releaseHolds } from '../order/tables/holds.ts';
import { type ApiResponse, codeOf, customer, worker } from '../testing/callers.ts';
import { eventsOf, ledgerOf, logOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, holdsOf, miscounted, setStatus, slotIn, wholeStore } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;
let slot: ReturnType<typeof slotIn>;

beforeAll(async () => {
  running = await startRunning();
  slot = slotIn(running, 60, 500);
  store = await running.openStore({}, countedMenu, [slot], [promo]);
});
afterEach(async () => {
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const promo = { id: randomUUID(), code: 'TENOFF', kind: 'percent' as const, value: 10 };
const cake = { items: [{ menu_item_id: 'cake', quantity: 2 }] };

const scheduled = () => ({ ...cake, slot_id: slot.id, promo_code: 'TENOFF' });
const owner = () => worker(running, store, 'merchant');
const staff = () => worker(running, store);
const publishedTypes = async (id: string) => (await eventsOf(running, id)).map(({ type }) => type);
describe('a buy-now order', () => {
  test('is made ready and handed over, each with its time, one event and a log entry with actor and note', async () => {
    const order = await customer(running).paid(store);
    const ready = await setStatus(staff(), store, order.order_id, 'ready', 'Window table');
    expect(ready.status).toBe(200);
    expect(ready.body).toEqual({
      order: {
        id: order.order_id,
        store_id: store.id,
        status: 'ready',
        order_type: 'buy_now',
        fulfilled_at: null,
        cancelled_at: null,
        refundable_pence: null,
      },
    });
    running.clock.advance({ minutes: 1 });
    const done = await setStatus(staff(), store, order.order_id, 'fulfilled');
    expect(done.body.order.status).toBe('fulfilled');
    expect(new Date(done.body.order.fulfilled_at)).toEqual(running.clock.now());
    const seen = (await staff().get(order.order_id)).body.order;
    expect(seen.fulfilment_status).toBe('collected');
    expect([new Date(seen.collected_at), new Date(seen.ready_at).getTime()]).toEqual([
      running.clock.now(),
      running.clock.now().getTime() - 60_000,
    ]);
    expect((await eventsOf(running, order.order_id)).map(({ type, data }) => [type, data.from, data.to])).toEqual([
      ['order.paid', undefined, undefined],
      ['order.status_changed', 'placed', 'ready'],
      ['order.status_changed', 'ready', 'fulfilled'],
    ]);
    const { entries } = (await owner().call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`)).body;
    expect(entries.slice(0, 2)).toMatchObject([
      { title: 'The order was handed over', detail: null, actor: 'Ada' },
      { title: 'The order is ready', detail: 'Window table', actor: 'Ada' },
    ]);
  });

  test('is unchanged by the same status again, even from concurrent callers', async () => {
    for (const status of ['ready', 'fulfilled', 'cancelled']) {
      const order = await customer(running).paid(store, { items: [{ menu_item_id: 'cake', quantity: 1 }] });
      const first = await setStatus(staff(), store, order.order_id, status);
      const before = await wholeStore(running, store);
      running.clock.advance({ seconds: 30 });
      const again = await Promise.all(Array.from({ length: 10 }, () => setStatus(owner(), store, order.order_id, status, 'Again')));
      for (const response of again) expect(response.body).toEqual(first.body);
      expect(await wholeStore(running, store)).toEqual(before);
    }
  });

  test('is made ready again after the hand-over only by an owner or manager with a note', async () => {
    const order = await customer(running).paid(store);
    await setStatus(staff(), store, order.order_id, 'fulfilled');
    const before = await wholeStore(running, store);
    const byStaff = await setStatus(staff(), store, order.order_id, 'ready', 'Wrong cup');
    expect(codeOf(byStaff)).toEqual([409, 'INVALID_TRANSITION']);
    for (const note of [undefined, '', '   ']) {
      expect(codeOf(await setStatus(owner(), store, order.order_id, 'ready', note))).toEqual([400, 'NOTE_REQUIRED']);
    }
    expect(await wholeStore(running, store)).toEqual(before);
    running.clock.advance({ minutes: 2 });
    const back = await setStatus(owner(), store, order.order_id, 'ready', 'Wrong cup');
    expect(back.body.order).toMatchObject({ status: 'ready', fulfilled_at: null });
    const seen = (await staff().get(order.order_id)).body.order;
    expect(seen).toMatchObject({ fulfilment_status: 'ready', collected_at: null });
    expect(seen.ready_at).not.toBeNull();
    const { entries } = (await owner().call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`)).body;
    expect(entries[0]).toMatchObject({ title: 'Status corrected: the order is ready again', detail: 'Wrong cup', actor: 'Ada' });
    expect((await eventsOf(running, order.order_id)).at(-1)).toMatchObject({ data: { from: 'fulfilled', to: 'ready' } });
    const claims = { typ: 'staff', scope: 'orders:write', stores: [{ id: store.id, role: 'manager' }] } as const;
    await setStatus(staff(), store, order.order_id, 'fulfilled');
    const byManager = await fetch(`${running.service.url}/api/v1/orders/${order.order_id}/status`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${await running.issuer.token(claims)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ store_id: store.id, status: 'ready', note: 'Wrong cup' }),
    });
    expect(byManager.status).toBe(200);
  });

  test('is unchanged by a refused move, whose problem names the requested, present and allowed status', async () => {
    const order = await customer(running).paid(store);
    await setStatus(staff(), store, order.order_id, 'cancelled');
    const before = await wholeStore(running, store);
    const { status, body } = await setStatus(owner(), store, order.order_id, 'ready', 'Please');
    expect([status, body.error]).toMatchObject([
      409,
      { code: 'INVALID_TRANSITION', message: 'status: the order is cancelled and cannot become ready; allowed: nothing: it has ended.' },
    ]);
    const collect = await customer(running).paid(store, { order_type: 'collect' });
    const early = await setStatus(staff(), store, collect.order_id, 'fulfilled');
    expect(early.body.error.message).toBe('status: the order is accepted and cannot become fulfilled; allowed: cancelled.');
    expect(await wholeStore(running, store)).not.toEqual(before);
    expect(await publishedTypes(collect.order_id)).toEqual(['order.paid', 'order.fulfilment_changed']);
  });
});

test('a collect order publishes its fulfilment and not its status, and order.cancelled when it is cancelled', async () => {
  const order = await customer(running).paid(store, scheduled());
  await staff().advance(order.order_id, 'preparing');
  await setStatus(staff(), store, order.order_id, 'ready');
  await setStatus(staff(), store, order.order_id, 'cancelled', 'Oven broke');
  expect((await publishedTypes(order.order_id)).slice(2)).toEqual([
    'order.fulfilment_changed',
    'order.fulfilment_changed',
    'order.fulfilment_changed',
    'order.cancelled',
  ]);
  expect((await eventsOf(running, order.order_id)).at(-1)?.data).toMatchObject({ was_paid: true, reason: 'Oven broke' });
  const now = await customer(running).paid(store);
  await setStatus(staff(), store, now.order_id, 'cancelled');
  expect((await publishedTypes(now.order_id)).slice(1)).toEqual(['order.status_changed', 'order.cancelled']);
});

test('an unknown order or one of another store is 404, an unknown status 400, and a customer 403', async () => {
  const order = await customer(running).paid(store);
  const other = await running.openStore();
  expect(codeOf(await setStatus(staff(), store, randomUUID(), 'ready'))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(codeOf(await setStatus(worker(running, other), other, order.order_id, 'cancelled'))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect((await setStatus(worker(running, other), store, order.order_id, 'cancelled')).status).toBe(403);
  for (const status of ['placed', 'collected', '']) expect((await setStatus(staff(), store, order.order_id, status)).status).toBe(400);
  expect((await setStatus(staff(), store, order.order_id, 'ready', 'x'.repeat(501))).status).toBe(400);
  const asCustomer = await customer(running).call('PATCH', `/api/v1/orders/${order.order_id}/status`, {
    store_id: store.id,
    status: 'ready',
  });
  expect(asCustomer.status).toBe(403);
});

describe('cancelling a paid order', () => {
  test('releases its place and stock once, moves no money and logs that', async () => {
    const order = await customer(running).paid(store, scheduled());
    const before = await takenOf(running, store.id, 'cake');
    const { body } = await setStatus(staff(), store, order.order_id, 'cancelled', 'Oven broke.');
    expect(body.order).toMatchObject({ status: 'cancelled', fulfilled_at: null, refundable_pence: 720 });
    expect(new Date(body.order.cancelled_at)).toEqual(running.clock.now());
    expect(await takenOf(running, store.id, 'cake')).toBe(before - 2);
    expect(await holdsOf(running, order.order_id)).toEqual({ slot: 'released', stock: 'released', promo: 'committed' });
    expect(await ledgerOf(running, order.order_id)).toHaveLength(1);
    const { entries } = (await owner().call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`)).body;
    expect(entries[0]).toMatchObject({
      title: 'The order was cancelled',
      detail: 'Oven broke. No refund was made. £7.20 can be refunded.',
      actor: 'Ada',
    });
  });

  test('releases the place but not the stock when the goods are made already', async () => {
    const order = await customer(running).paid(store, scheduled());
    for (const step of ['preparing', 'ready', 'cancelled']) await staff().advance(order.order_id, step);
    expect(await holdsOf(running, order.order_id)).toEqual({ slot: 'released', stock: 'committed', promo: 'committed' });
  });

  test('keeps the stock of what is ready, of either kind of order, and says so in the reference', async () => {
    for (const request of [scheduled(), cake]) {
      const order = await customer(running).paid(store, request);
      const taken = await takenOf(running, store.id, 'cake');
      if (request !== cake) await staff().advance(order.order_id, 'preparing');
      await setStatus(staff(), store, order.order_id, 'ready');
      await setStatus(staff(), store, order.order_id, 'cancelled');
      expect(await takenOf(running, store.id, 'cake')).toBe(taken);
    }
    expect(orders.setBusinessStatus.description).toContain('the stock of goods that were not made yet: what is ready stays taken');
  });

  test('releases the stock of an order that was ready by mistake, once that is corrected', async () => {
    const order = await customer(running).paid(store, scheduled());
    const taken = await takenOf(running, store.id, 'cake');
    for (const step of ['preparing', 'ready']) await staff().advance(order.order_id, step);
    const correction = { store_id: store.id, to_status: 'preparing', reason: 'It was another order.' };
    expect((await owner().call('POST', `/api/v1/orders/${order.order_id}/correct`, correction)).status).toBe(200);
    await setStatus(staff(), store, order.order_id, 'cancelled');
    expect(await takenOf(running, store.id, 'cake')).toBe(taken - 2);
  });

  test('releases and publishes once when twenty requests come at once through both operations', async () => {
    const order = await customer(running).paid(store, scheduled());
    const before = await takenOf(running, store.id, 'cake');
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? staff().advance(order.order_id, 'cancelled') : setStatus(staff(), store, order.order_id, 'cancelled'),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await takenOf(running, store.id, 'cake')).toBe(before - 2);
    expect((await publishedTypes(order.order_id)).slice(2)).toEqual(['order.fulfilment_changed', 'order.cancelled']);
    expect((await logOf(running, order.order_id)).slice(2)).toEqual(['cancelled']);
  });

  test('does not release a hold twice, even by concurrent callers', async () => {
    const order = await customer(running).paid(store, scheduled());
    const { database } = running.service;
    const release = () =>
      database.transaction((tx) => releaseHolds(tx, { storeId: store.id, orderIds: [order.order_id], kinds: ['slot', 'stock', 'promo'] }));
    await Promise.all([release(), release(), setStatus(staff(), store, order.order_id, 'cancelled')]);
    await release();
    expect(await miscounted(running)).toEqual([]);
  });

  test('releases each order’s own holds when twenty orders of one slot and item are cancelled at once', async () => {
    const placed = await Promise.all(Array.from({ length: 20 }, () => customer(running).paid(store, scheduled())));
    const before = await takenOf(running, store.id, 'cake');
    const responses = await Promise.all(placed.map(({ order_id }) => setStatus(staff(), store, order_id, 'cancelled')));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await takenOf(running, store.id, 'cake')).toBe(before - 40);
  });

  test('fails with INVALID_TRANSITION for one of two staff who set different statuses at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const order = await customer(running).paid(store);
      const responses = await Promise.all(['fulfilled', 'cancelled'].map((status) => setStatus(staff(), store, order.order_id, status)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
      const [won] = responses.filter(({ status }) => status === 200);
      expect(codeOf(responses.find(({ status }) => status === 409) as ApiResponse)).toEqual([409, 'INVALID_TRANSITION']);
      expect((await logOf(running, order.order_id)).slice(2)).toEqual([won?.body.order.status === 'cancelled' ? 'cancelled' : 'collected']);
    }
  });
});
