import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { eventsOf, ledgerOf, logOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { miscounted, setStatus, wholeStore } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterEach(async () => {
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const owner = (of = store) => worker(running, of, 'merchant');
const correct = (orderId: string, to_status: string, { by = owner(), of = store, reason = 'It was another order.' } = {}) =>
  by.call('POST', `/api/v1/orders/${orderId}/correct`, { store_id: of.id, to_status, reason });

const advanceTo = async (orderId: string, ...steps: readonly string[]) => {
  for (const step of steps) {
    running.clock.advance({ minutes: 1 });
    await owner().advance(orderId, step);
  }
};
async function collectAt(...steps: readonly string[]): Promise<string> {
  const { order_id } = await customer(running).paid(store, { order_type: 'collect' });
  await advanceTo(order_id, ...steps);
  return order_id;
}

const groups = [{ role: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] }] as const;
async function mixedOrder({ now, legs }: { readonly now: boolean; readonly legs: number }) {
  const own = now ? [{ role: 'now', items: [{ menu_item_id: 'croissant', quantity: 1 }] }] : [];
  const ada = customer(running);
  const request = { items: [], fulfilment_groups: [...own, ...Array.from({ length: legs }, () => groups[0])] };
  const { order_id: id } = await ada.paid(store, request);
  const { body } = await ada.call('GET', `/api/v1/orders/${id}/mine`);
  return { id, legs: body.order.children.map((child: { order_id: string }) => child.order_id) as readonly string[] };
}

describe('a collect order', () => {
  test('goes back one status at a time, and loses the times of what is taken back and no other', async () => {
    const id = await collectAt('preparing', 'ready', 'collected');
    const { order } = (await owner().get(id)).body;
    const ready = await correct(id, 'ready');
    expect([ready.status, ready.body.order]).toEqual([200, { ...order, fulfilment_status: 'ready', collected_at: null }]);
    expect((await correct(id, 'preparing')).body.order).toEqual({
      ...ready.body.order,
      fulfilment_status: 'preparing',
      ready_at: null,
    });
    const accepted = (await correct(id, 'accepted')).body.order;
    expect(accepted).toEqual({ ...ready.body.order, fulfilment_status: 'accepted', ready_at: null, preparing_at: null });
    expect((await owner().call('GET', `/api/v1/orders?store_id=${store.id}`)).body.orders).toContainEqual(accepted);
  });

  test('publishes each correction, logs it with who and why, and moves no money', async () => {
    const id = await collectAt('preparing', 'ready', 'collected');
    const published = (await eventsOf(running, id)).length;
    await correct(id, 'ready', { reason: 'It was for Bea.' });
    await correct(id, 'preparing');
    expect((await eventsOf(running, id)).slice(published)).toMatchObject([
      { type: 'order.fulfilment_changed', data: { from: 'collected', to: 'ready' } },
      { type: 'order.fulfilment_changed', data: { from: 'ready', to: 'preparing' } },
    ]);
    const { entries } = (await owner().call('GET', `/api/v1/orders/${id}/log?store_id=${store.id}`)).body;
    expect(entries.slice(0, 2)).toMatchObject([
      { title: 'Status corrected: the order is being prepared again', detail: 'It was another order.', actor: 'Ada', amount_pence: null },
      { title: 'Status corrected: the order is ready again', detail: 'It was for Bea.', actor: 'Ada' },
    ]);
    expect(await ledgerOf(running, id)).toHaveLength(1);
  });

  test('keeps the id of who corrected it', async () => {
    const id = await collectAt('preparing');
    const by = owner();
    await correct(id, 'accepted', { by });
    const ids = await running.service.database.anyFirst(sql.type(z.object({ actor_id: z.string().nullable() }))`
      select actor_id from log_entry where order_id = ${id} and kind = 'status_corrected'`);
    expect(ids).toEqual([by.sub]);
  });

  test('goes its way again after a correction, with new times', async () => {
    const id = await collectAt('preparing', 'ready');
    await correct(id, 'preparing');
    await advanceTo(id, 'ready', 'collected');
    const { order } = (await owner().get(id)).body;
    expect(order.fulfilment_status).toBe('collected');
    expect(Date.parse(order.collected_at) - Date.parse(order.ready_at)).toBe(60_000);
    expect(Date.parse(order.collected_at)).toBe(running.clock.now().getTime());
  });

  test('gets another collection code when a live order has taken the one that it had', async () => {
    const id = await collectAt('preparing', 'ready', 'collected');
    const taken = (await owner().get(id)).body.order.collection_code;
    const other = await collectAt();
    await running.service.database.query(sql.type(z.object({}))`update orders set collection_code = ${taken} where id = ${other}`);
    const { status, body } = await correct(id, 'ready');
    expect(status).toBe(200);
    expect(body.order.collection_code).toMatch(/^[2-9A-Z]{4}$/);
    expect(body.order.collection_code).not.toBe(taken);
    expect((await eventsOf(running, id)).at(-1)?.data.collection_code).toBe(body.order.collection_code);
    expect((await owner().get(other)).body.order.collection_code).toBe(taken);
  });
});

test('a buy-now order goes back from fulfilled to ready and from ready to placed', async () => {
  const { order_id: id } = await customer(running).paid(store);
  await setStatus(owner(), store, id, 'fulfilled');
  expect((await correct(id, 'ready')).body.order).toMatchObject({ fulfilment_status: 'ready', collected_at: null });
  expect((await correct(id, 'placed')).body.order).toMatchObject({ fulfilment_status: 'accepted', ready_at: null });
  expect((await eventsOf(running, id)).slice(-2).map(({ type, data }) => [type, data.from, data.to])).toEqual([
    ['order.status_changed', 'fulfilled', 'ready'],
    ['order.status_changed', 'ready', 'placed'],
  ]);
  expect((await setStatus(owner(), store, id, 'fulfilled')).status).toBe(200);
});

describe('an order of several parts', () => {
  test('is open again when its last leg is taken back, and ends with it again', async () => {
    const order = await mixedOrder({ now: false, legs: 2 });
    for (const leg of order.legs) await advanceTo(leg, 'preparing', 'ready', 'collected');
    const last = order.legs[1] ?? '';
    expect((await owner().get(order.id)).body.order.fulfilment_status).toBe('collected');
    expect((await correct(last, 'ready')).status).toBe(200);
    expect((await owner().get(order.id)).body.order.fulfilment_status).toBe('accepted');
    expect((await logOf(running, order.id)).at(-1)).toBe('status_corrected');
    expect((await eventsOf(running, order.id)).at(-1)).toMatchObject({
      type: 'order.status_changed',
      data: { from: 'fulfilled', to: 'placed' },
    });
    await advanceTo(last, 'collected');
    expect((await owner().get(order.id)).body.order.fulfilment_status).toBe('collected');
  });

  test('keeps its own part as handed over when a leg is taken back', async () => {
    const order = await mixedOrder({ now: true, legs: 1 });
    await setStatus(owner(), store, order.id, 'fulfilled');
    await advanceTo(order.legs[0] ?? '', 'preparing', 'ready', 'collected');
    const before = (await owner().get(order.id)).body.order;
    await correct(order.legs[0] ?? '', 'ready');
    expect((await owner().get(order.id)).body.order).toEqual(before);
    const live = (await owner().call('GET', `/api/v1/orders?store_id=${store.id}`)).body.orders;
    expect(live.map((one: { id: string }) => one.id)).toEqual(expect.arrayContaining([order.id, ...order.legs]));
  });

  test('gives back no leg once it is cancelled', async () => {
    const order = await mixedOrder({ now: true, legs: 2 });
    await advanceTo(order.legs[0] ?? '', 'preparing', 'ready', 'collected');
    await setStatus(owner(), store, order.id, 'cancelled');
    expect(codeOf(await correct(order.legs[0] ?? '', 'ready'))).toEqual([409, 'INVALID_TRANSITION']);
  });
});

describe('nothing changes', () => {
  test('for a status that is not the one before, whose problem names the one that is', async () => {
    const id = await collectAt('preparing', 'ready');
    const before = await wholeStore(running, store);
    const refused = await correct(id, 'accepted');
    expect([codeOf(refused), refused.body.error.message]).toEqual([
      [409, 'INVALID_TRANSITION'],
      'to_status: the order is ready and cannot become accepted; allowed: preparing.',
    ]);
    expect(codeOf(await correct(id, 'placed'))).toEqual([409, 'INVALID_TRANSITION']);
    expect(await wholeStore(running, store)).toEqual(before);
  });

  test('for an order that is cancelled, refunded or not', async () => {
    for (const isRefunded of [false, true]) {
      const id = await collectAt('preparing', 'ready', 'cancelled');
      if (isRefunded) expect((await owner().refund(id)).status).toBe(200);
      const before = await wholeStore(running, store);
      for (const to of ['accepted', 'preparing', 'ready', 'placed']) {
        expect(codeOf(await correct(id, to))).toEqual([409, 'INVALID_TRANSITION']);
      }
      expect(await wholeStore(running, store)).toEqual(before);
    }
  });

  test('for an order that is refunded in full, though it was handed over', async () => {
    const id = await collectAt('preparing', 'ready', 'collected');
    await owner().refund(id);
    expect(codeOf(await correct(id, 'ready'))).toEqual([409, 'INVALID_TRANSITION']);
  });

  test('for the status that the order has, and for each repeat of a correction, by ten callers at once too', async () => {
    const id = await collectAt('preparing', 'ready');
    const responses = await Promise.all(Array.from({ length: 10 }, () => correct(id, 'preparing')));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await logOf(running, id)).filter((kind) => kind === 'status_corrected')).toHaveLength(1);
    const before = await wholeStore(running, store);
    expect((await correct(id, 'preparing')).body).toEqual(responses[0]?.body);
    expect(await wholeStore(running, store)).toEqual(before);
  });

  test('for one of two who collect and take back at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await collectAt('preparing', 'ready');
      const [collected, back] = await Promise.all([owner().advance(id, 'collected'), correct(id, 'preparing')]);
      expect([collected?.status, back?.status].sort()).toEqual([200, 409]);
      const moves = (await eventsOf(running, id)).flatMap(({ data }) => (data.to ? [[data.from, data.to]] : []));
      expect(moves.slice(1).every(([from], n) => from === moves[n]?.[1])).toBe(true);
    }
  });
});

describe('a correction is refused', () => {
  test('without a reason of 3 to 200 characters, and for a status that nothing goes back to', async () => {
    const id = await collectAt('preparing');
    for (const reason of ['', 'no', '    x    ', 'x'.repeat(201)]) {
      expect(codeOf(await correct(id, 'accepted', { reason }))).toEqual([400, 'VALIDATION_FAILED']);
    }
    for (const to of ['collected', 'cancelled', 'fulfilled', '']) expect((await correct(id, to)).status).toBe(400);
  });

  test('to staff, with INSUFFICIENT_ROLE, and to a customer', async () => {
    const id = await collectAt('preparing');
    expect(codeOf(await correct(id, 'accepted', { by: worker(running, store) }))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const body = { store_id: store.id, to_status: 'accepted', reason: 'Mine' };
    expect(codeOf(await customer(running).call('POST', `/api/v1/orders/${id}/correct`, body))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  });

  test('for an order that is unknown, of another store, or not paid', async () => {
    const id = await collectAt('preparing');
    const other = await running.openStore();
    expect(codeOf(await correct(randomUUID(), 'accepted'))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await correct(id, 'accepted', { by: owner(other), of: other }))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await correct(id, 'accepted', { by: owner(other) }))).toEqual([403, 'STORE_FORBIDDEN']);
    const { body } = await customer(running).create(store, { order_type: 'collect' });
    expect(codeOf(await correct(body.order_id, 'accepted'))).toEqual([409, 'ORDER_NOT_PAID']);
  });
});
