import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type ApiResponse, customer, pay, worker } from '../testing/callers.ts';
import { usesOf } from '../testing/counts.ts';
import { eventsOf, ledgerOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, holdsOf, miscounted, setStatus, slotIn, wholeStore } from '../testing/whole-store.ts';

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
const intentOf = (id: string) => running.payments.controls.books().intents.find((intent) => intent.id === id);

describe('cancelling an unpaid order', () => {
  test('cancels the intent at the provider first, then releases all holds', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    const uses = await usesOf(running, promo.id);
    const { status, body } = await setStatus(staff(), store, order.order_id, 'cancelled', 'Closing early');
    expect([status, body.order.status]).toEqual([200, 'cancelled']);
    expect(intentOf(order.payment_intent_id)?.status).toBe('canceled');
    expect(await holdsOf(running, order.order_id)).toEqual({ slot: 'released', stock: 'released', promo: 'released' });
    expect(await usesOf(running, promo.id)).toBe(uses - 1);
    expect(await eventsOf(running, order.order_id)).toMatchObject([
      { type: 'order.cancelled', data: { was_paid: false, reason: 'Closing early' } },
    ]);
    const { entries } = (await owner().call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`)).body;
    expect(entries[0]).toMatchObject({ title: 'The order was cancelled before it was paid', detail: 'Closing early', actor: 'Ada' });
    const before = await wholeStore(running, store);
    expect((await setStatus(staff(), store, order.order_id, 'cancelled')).body).toEqual(body);
    expect(await wholeStore(running, store)).toEqual(before);
  });

  test('releases the holds once when twenty requests come at once', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    const responses = await Promise.all(Array.from({ length: 20 }, () => setStatus(staff(), store, order.order_id, 'cancelled')));
    expect(responses.map(({ status, body }) => [status, body.order?.status])).toEqual(Array(20).fill([200, 'cancelled']));
    expect(await publishedTypes(order.order_id)).toEqual(['order.cancelled']);
  });

  test('keeps no money, while paying and confirming run at once, unless the order was paid first: its refund is a step of its own', async () => {
    for (let round = 0; round < 8; round += 1) {
      const ada = customer(running);
      const { body: order } = await ada.create(store, scheduled());
      const paying = pay(running, order.payment_intent_id).then(() => ada.confirm(store, order.payment_intent_id));
      await Promise.all([paying, setStatus(staff(), store, order.order_id, 'cancelled')]);
      const took = intentOf(order.payment_intent_id)?.status === 'succeeded';
      const { entries } = (await owner().call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`)).body;
      const paidFirst = entries.some(({ detail }: { detail: string | null }) => detail?.startsWith('No refund was made.'));
      const kinds = paidFirst ? ['charge'] : ['charge', 'refund'];
      expect((await ledgerOf(running, order.order_id)).map(({ kind }) => kind)).toEqual(took ? kinds : []);
      expect((await publishedTypes(order.order_id)).filter((type) => type === 'order.cancelled')).toHaveLength(1);
    }
  });

  test('fails with PAYMENT_MISMATCH when a payment succeeded that does not match the order', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    await pay(running, order.payment_intent_id);
    await running.service.database.query(sql.type(z.object({}))`
      update orders set total_pence = total_pence + 1 where id = ${order.order_id}`);
    expect(codeOf(await setStatus(staff(), store, order.order_id, 'cancelled'))).toEqual([409, 'PAYMENT_MISMATCH']);
    expect(await ledgerOf(running, order.order_id)).toEqual([]);
  });

  test('is refused while the payment is being processed, and releases nothing', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    await pay(running, order.payment_intent_id, 'pm_card_processing');
    const before = await wholeStore(running, store);
    const { status, body } = await setStatus(staff(), store, order.order_id, 'cancelled');
    expect([status, body.error.code, body.error.message]).toEqual([409, 'ORDER_NOT_PAID', expect.stringContaining('being processed')]);
    expect(await wholeStore(running, store)).toEqual(before);
  });

  test('fails with PAYMENT_PROVIDER_ERROR and releases nothing when the provider is down or does not know the intent', async () => {
    const { body: order } = await customer(running).create(store, scheduled());
    const before = await wholeStore(running, store);
    running.payments.controls.failNext({ how: 'error_before', path: '/cancel', times: 10 });
    expect(codeOf(await setStatus(staff(), store, order.order_id, 'cancelled'))).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
    running.payments.controls.clearFaults();
    expect(await wholeStore(running, store)).toEqual(before);
    await running.service.database.query(
      sql.type(z.object({}))`update orders set payment_intent_id = 'pi_nowhere' where id = ${order.order_id}`,
    );
    expect(codeOf(await setStatus(staff(), store, order.order_id, 'cancelled'))).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
    expect(await holdsOf(running, order.order_id)).toEqual({ slot: 'held', stock: 'held', promo: 'held' });
  });

  test('is refused for an expired order, and an unpaid one cannot become ready or fulfilled', async () => {
    const { body: order } = await customer(running).create(store);
    for (const status of ['ready', 'fulfilled']) {
      expect(codeOf(await setStatus(staff(), store, order.order_id, status))).toEqual([409, 'ORDER_NOT_PAID']);
    }
    await running.service.database.query(sql.type(z.object({}))`update orders set payment_status = 'expired' where id = ${order.order_id}`);
    expect(codeOf(await setStatus(staff(), store, order.order_id, 'cancelled'))).toEqual([409, 'ORDER_NOT_PAID']);
  });
});
