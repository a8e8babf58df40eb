import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { eventsOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, miscounted, setStatus, slotIn, wholeStore } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;
let slot: ReturnType<typeof slotIn>;
const promo = { id: randomUUID(), code: 'TENOFF', kind: 'percent' as const, value: 10 };
const cake = { items: [{ menu_item_id: 'cake', quantity: 2 }] };

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

const scheduled = () => ({ ...cake, slot_id: slot.id, promo_code: 'TENOFF' });
const owner = () => worker(running, store, 'merchant');
const staff = () => worker(running, store);
const codeOf = ({ status, body }: ApiResponse) => [status, body.error?.code];
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
