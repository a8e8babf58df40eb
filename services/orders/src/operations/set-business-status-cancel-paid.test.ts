import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { releaseHolds } from '../tables/holds.ts';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { eventsOf, ledgerOf, logOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, holdsOf, miscounted, setStatus, slotIn } from '../testing/whole-store.ts';

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
