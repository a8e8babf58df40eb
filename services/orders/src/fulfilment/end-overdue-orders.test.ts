// covers: listOrders, getMyOrder

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { eventsOf, ledgerOf, logOf, takenOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, holdsOf, miscounted, setStatus, slotIn } from '../testing/whole-store.ts';
import { endOverdueOrders } from './jobs.ts';

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

const collect = { order_type: 'collect' };
const staffOf = (store: OpenStore) => worker(running, store, 'merchant');
const typesOf = async (orderId: string) => (await eventsOf(running, orderId)).map(({ type }) => type);
const refundsOf = async (orderId: string) =>
  (await ledgerOf(running, orderId)).flatMap(({ kind, amount_pence }) => (kind === 'refund' ? [amount_pence] : []));

async function afterwards(later: { readonly minutes?: number; readonly hours?: number }): Promise<void> {
  running.clock.advance(later);
  await Promise.all([endOverdueOrders(running.service.context), endOverdueOrders(running.service.context)]);
}

function openFrom(fromHour: number, untilHour: number) {
  const at = (hour: number) => new Date(running.clock.now().getTime() + hour * 3_600_000).toISOString().slice(11, 13).concat(':00');
  const hours = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, opens: at(fromHour), closes: at(untilHour) }));
  return { time_zone: 'UTC', hours };
}

describe('an order that its store does not accept in time', () => {
  const manual = { auto_accept: false, accept_within_minutes: 10 };

  test('is cancelled and refunded, gives back what it holds, and says why', async () => {
    const slot = slotIn(running, 600, 5);
    const store = await running.openStore(manual, countedMenu, [slot]);
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store, { items: [{ menu_item_id: 'cake', quantity: 2 }], slot_id: slot.id });
    await afterwards({ minutes: 9 });
    expect((await staffOf(store).get(id)).body.order.fulfilment_status).toBeNull();
    await afterwards({ minutes: 1 });
    expect((await staffOf(store).get(id)).body.order).toMatchObject({
      fulfilment_status: 'cancelled',
      cancelled_by: 'system',
      status: 'refunded',
    });
    expect(await refundsOf(id)).toEqual([-800]);
    expect(await holdsOf(running, id)).toEqual({ slot: 'released', stock: 'released' });
    expect(await takenOf(running, store.id, 'cake')).toBe(0);
    const published = (await eventsOf(running, id)).slice(1);
    expect(published.map(({ type }) => type)).toEqual(['order.fulfilment_changed', 'order.cancelled', 'order.refunded']);
    expect(published[1]?.data).toMatchObject({ by: 'system', was_paid: true, reason: 'The store did not accept the order in time.' });
    const { entries } = (await staffOf(store).call('GET', `/api/v1/orders/${id}/log?store_id=${store.id}`)).body;
    expect(entries[2]).toMatchObject({ title: 'The order was cancelled because the store did not accept it in time', actor: null });
  });

  test('stays when it was accepted, also when the job runs at the same time', async () => {
    const store = await running.openStore(manual);
    const { order_id: id } = await customer(running).paid(store, collect);
    running.clock.advance({ minutes: 10 });
    const [, accepted] = await Promise.all([endOverdueOrders(running.service.context), staffOf(store).advance(id, 'accepted')]);
    const { order } = (await staffOf(store).get(id)).body;
    expect(order.fulfilment_status).toBe(accepted.status === 200 ? 'accepted' : 'cancelled');
    expect(await refundsOf(id)).toEqual(accepted.status === 200 ? [] : [-640]);
    const { order_id: other } = await customer(running).paid(store, collect);
    await staffOf(store).advance(other, 'accepted');
    await afterwards({ hours: 3 });
    expect((await staffOf(store).get(other)).body.order.fulfilment_status).toBe('accepted');
  });

  test('has its minutes while the store is open', async () => {
    const slot = slotIn(running, 240);
    const store = await running.openStore({ ...manual, ...openFrom(2, 9) }, undefined, [slot]);
    const { order_id: id } = await customer(running).paid(store, { slot_id: slot.id });
    const minute = running.clock.now().getUTCMinutes();
    await afterwards({ minutes: 120 - minute + 5 });
    expect((await staffOf(store).get(id)).body.order.cancelled_by).toBeNull();
    await afterwards({ minutes: 6 });
    expect((await staffOf(store).get(id)).body.order.cancelled_by).toBe('system');
  });

  test('stays where the store sets no time, and where it accepts orders as they are paid', async () => {
    for (const settings of [{ auto_accept: false }, { accept_within_minutes: 10 }]) {
      const store = await running.openStore(settings);
      const { order_id: id } = await customer(running).paid(store, collect);
      await afterwards({ hours: 30 });
      expect((await staffOf(store).get(id)).body.order.cancelled_by).toBeNull();
    }
  });

  test('loses one part alone, with its share', async () => {
    const store = await running.openStore(manual);
    const leg = { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] };
    const now = { role: 'now', items: [{ menu_item_id: 'croissant', quantity: 1 }] };
    const { order_id: id } = await customer(running).paid(store, { items: [], fulfilment_groups: [now, leg] });
    await afterwards({ minutes: 11 });
    expect(await refundsOf(id)).toEqual([-350]);
    expect((await staffOf(store).get(id)).body.order).toMatchObject({ status: 'partially_refunded', cancelled_by: null });
  });
});

describe('a ready order that is not collected', () => {
  async function readyOrder(store: OpenStore, request: Record<string, unknown> = collect): Promise<string> {
    const { order_id: id } = await customer(running).paid(store, request);
    for (const step of ['preparing', 'ready']) await staffOf(store).advance(id, step);
    return id;
  }

  test('ends four hours after closing: in history, uncollected, with its own event and log entry, and no money moves', async () => {
    const store = await running.openStore(openFrom(-2, 3));
    const minute = running.clock.now().getUTCMinutes();
    const id = await readyOrder(store);
    const before = (await typesOf(id)).length;
    await afterwards({ minutes: 7 * 60 - minute - 1 });
    expect((await staffOf(store).get(id)).body.order.uncollected).toBe(false);
    await afterwards({ minutes: 1 });
    expect((await staffOf(store).get(id)).body.order).toMatchObject({
      uncollected: true,
      fulfilment_status: 'ready',
      collected_at: null,
      status: 'paid',
    });
    const history = (await staffOf(store).call('GET', `/api/v1/orders?store_id=${store.id}&scope=history`)).body.orders;
    expect(history.map((order: { id: string }) => order.id)).toEqual([id]);
    expect((await typesOf(id)).slice(before)).toEqual(['order.uncollected']);
    expect((await logOf(running, id)).filter((kind) => kind === 'uncollected')).toHaveLength(1);
    expect(await refundsOf(id)).toEqual([]);
  });

  test('waits for its booked time, and for the store’s own number of hours', async () => {
    const slot = slotIn(running, 1_440);
    const store = await running.openStore({ uncollected_after_hours: 2 }, undefined, [slot]);
    const id = await readyOrder(store, { slot_id: slot.id });
    await afterwards({ hours: 25 });
    expect((await staffOf(store).get(id)).body.order.uncollected).toBe(false);
    await afterwards({ hours: 1 });
    expect((await staffOf(store).get(id)).body.order.uncollected).toBe(true);
  });

  test('can be handed over late, or taken back with a collection code of its own', async () => {
    const store = await running.openStore();
    const [late = '', back = ''] = [await readyOrder(store), await readyOrder(store)];
    await afterwards({ hours: 5 });
    expect((await staffOf(store).advance(late, 'collected')).body.order).toMatchObject({
      fulfilment_status: 'collected',
      uncollected: false,
    });
    const code = (await staffOf(store).get(back)).body.order.collection_code;
    const other = await readyOrder(store);
    await running.service.database.query(sql.type(z.object({}))`update orders set collection_code = ${code} where id = ${other}`);
    const request = { store_id: store.id, to_status: 'preparing', reason: 'It was never made.' };
    const { status, body } = await staffOf(store).call('POST', `/api/v1/orders/${back}/correct`, request);
    expect([status, body.order]).toMatchObject([200, { fulfilment_status: 'preparing', uncollected: false }]);
    expect(body.order.collection_code).not.toBe(code);
    await staffOf(store).advance(back, 'ready');
    await afterwards({ hours: 5 });
    expect((await staffOf(store).get(back)).body.order.uncollected).toBe(true);
  });

  test('of the kind that is taken at once can be handed over late too, and followers see it', async () => {
    const store = await running.openStore();
    const { order_id: id } = await customer(running).paid(store);
    await setStatus(staffOf(store), store, id, 'ready');
    await afterwards({ hours: 5 });
    expect((await staffOf(store).get(id)).body.order.uncollected).toBe(true);
    expect((await setStatus(staffOf(store), store, id, 'fulfilled')).status).toBe(200);
    expect((await staffOf(store).get(id)).body.order).toMatchObject({ uncollected: false, fulfilment_status: 'collected' });
    expect((await eventsOf(running, id)).at(-1)).toMatchObject({ type: 'order.status_changed', data: { from: 'ready', to: 'fulfilled' } });
  });

  test('ends an order of several parts with the last of them, and cannot be collected earlier', async () => {
    const slots = [slotIn(running, 60), slotIn(running, 30)];
    const store = await running.openStore({}, undefined, slots);
    const leg = { role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }], slot_id: slots[0]?.id };
    const ada = customer(running);
    const { order_id: id } = await ada.paid(store, { items: [], fulfilment_groups: [leg] });
    const legId = (await ada.call('GET', `/api/v1/orders/${id}/mine`)).body.order.children[0].order_id;
    for (const step of ['preparing', 'ready']) await staffOf(store).advance(legId, step);
    await afterwards({ hours: 6 });
    expect((await ada.call('GET', `/api/v1/orders/${id}/mine`)).body.order.uncollected).toBe(true);
    const request = { store_id: store.id, order_id: legId, slot_id: slots[1]?.id };
    expect(codeOf(await ada.call('POST', '/api/v1/orders/collect-earlier', request))).toEqual([409, 'ORDER_NOT_READY']);
  });

  test('is not ended while it is collected at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      const store = await running.openStore();
      const id = await readyOrder(store);
      running.clock.advance({ hours: 5 });
      const [collected] = await Promise.all([staffOf(store).advance(id, 'collected'), endOverdueOrders(running.service.context)]);
      expect(collected.status).toBe(200);
      expect((await staffOf(store).get(id)).body.order).toMatchObject({ fulfilment_status: 'collected', uncollected: false });
    }
  });
});

test('an order that cannot be looked at keeps no other from being looked at', async () => {
  const store = await running.openStore();
  const { order_id: broken } = await customer(running).paid(store, collect);
  const other = await running.openStore();
  const { order_id: id } = await customer(running).paid(other, collect);
  for (const step of ['preparing', 'ready']) await staffOf(other).advance(id, step);
  await running.service.database.query(sql.type(z.object({}))`delete from store where id = ${store.id}`);
  await running.service.database.query(
    sql.type(
      z.object({}),
    )`update orders set fulfilment_status = 'ready', business_status = 'ready', ready_at = paid_at where id = ${broken}`,
  );
  await afterwards({ hours: 5 });
  expect((await staffOf(other).get(id)).body.order.uncollected).toBe(true);
});
