// covers: payByTenders

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { expireUnpaidOrders } from '../confirmation/jobs.ts';
import { endUnpaidOrder } from '../payment/index.ts';
import { codeOf } from '../testing/callers.ts';
import { eventsOf, ledgerOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { tillOf } from '../testing/till.ts';

let running: Running;
let store: OpenStore;
let till: ReturnType<typeof tillOf>;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  store = await running.openStore();
  till = tillOf(running, store);
  await till.call('POST', '/api/v1/orders/drawers', { store_id: store.id, float_pence: 1_000 });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const pay = (id: string, tenders: readonly object[], key: string = randomUUID()) =>
  till.call('POST', `/api/v1/orders/${id}/tenders`, { store_id: store.id, tenders, part: true }, { 'Idempotency-Key': key });
const card = (amount_pence: number) => ({ kind: 'external_card', amount_pence, reference: '4711' });
const cancel = (id: string) => till.call('PATCH', `/api/v1/orders/${id}/status`, { store_id: store.id, status: 'cancelled' });
const drawer = async () => (await till.call('GET', `/api/v1/orders/drawers?store_id=${store.id}&limit=1`)).body.drawers[0];

describe('an open sale of 640 pence', () => {
  test('is paid in parts at different moments: what is left is said, and the last one makes it one paid order', async () => {
    const id = await till.open();
    const first = await pay(id, [{ kind: 'cash', given_pence: 300 }]);
    expect([first.status, first.body.order.status, first.body.left_pence]).toEqual([200, 'pending_payment', 340]);
    const part = { kind: 'cash', amount_pence: 300, given_pence: 300, change_pence: 0, refunded_pence: 0 };
    expect(first.body.tenders).toMatchObject([part]);
    const { body: open } = await till.call('GET', `/api/v1/orders/at-counter?store_id=${store.id}&state=open`);
    expect(open.sales).toMatchObject([{ id, tenders: [part] }]);
    expect([await ledgerOf(running, id), (await drawer()).cash_taken_pence]).toEqual([[], 300]);
    running.clock.advance({ minutes: 20 });
    expect((await pay(id, [card(100)])).body.left_pence).toBe(240);
    const last = await pay(id, [{ kind: 'cash', given_pence: 500 }]);
    expect(last.body).toMatchObject({ left_pence: 0, order: { status: 'paid' } });
    expect(last.body.tenders).toMatchObject([part, card(100), { kind: 'cash', amount_pence: 240, given_pence: 500, change_pence: 260 }]);
    expect((await ledgerOf(running, id)).map(({ amount_pence }) => amount_pence)).toEqual([300, 100, 240]);
    expect((await drawer()).cash_taken_pence).toBe(540);
    const paid = (await eventsOf(running, id)).filter(({ type }) => type === 'order.paid');
    expect(paid).toMatchObject([{ data: { tenders: [{ amount_pence: 300 }, { amount_pence: 100 }, { amount_pence: 240 }] } }]);
    const { body: log } = await till.call('GET', `/api/v1/orders/${id}/log?store_id=${store.id}`);
    expect(log.entries.slice(0, 3)).toMatchObject([
      { title: 'Paid at the counter', amount_pence: 640 },
      { title: 'A part was paid at the counter', actor: 'Ada', amount_pence: 100 },
      { title: 'A part was paid at the counter', amount_pence: 300 },
    ]);
    expect((await till.refund(id, { amount_pence: 500 })).body.refund).toMatchObject({ status: 'succeeded', amount: 500 });
    expect((await drawer()).cash_refunded_pence).toBe(500);
  });

  test('is paid whole by a request that takes all that is left, and not by one for the whole total', async () => {
    const id = await till.open();
    await pay(id, [card(400)]);
    const whole = await till.pay(id, [{ kind: 'cash', amount_pence: 640 }]);
    expect([codeOf(whole), whole.body.error.message]).toEqual([[422, 'TENDERS_MISMATCH'], expect.stringContaining('£2.40')]);
    expect((await till.pay(id, [{ kind: 'cash' }])).body).toMatchObject({ left_pence: 0, order: { status: 'paid' } });
  });

  test('takes no card for more than is left', async () => {
    const id = await till.open();
    await pay(id, [card(600)]);
    const more = await pay(id, [card(41)]);
    expect([codeOf(more), more.body.error.message]).toEqual([[422, 'TENDERS_MISMATCH'], expect.stringContaining('£0.40')]);
    expect(codeOf(await pay(id, [{ kind: 'none' }]))).toEqual([422, 'TENDERS_MISMATCH']);
  });

  test('is never paid too much by parts that come at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await till.open();
      const replies = await Promise.all([200, 300, 400, 440].map((pence) => pay(id, [card(pence)])));
      const taken = replies.flatMap(({ status }, n) => (status === 200 ? [[200, 300, 400, 440][n] ?? 0] : []));
      const { body } = await till.get(id);
      const sum = taken.reduce((pence, one) => pence + one, 0);
      expect(sum).toBeLessThanOrEqual(640);
      expect(body.order.tenders.reduce((pence: number, { amount_pence }: { amount_pence: number }) => pence + amount_pence, 0)).toBe(sum);
      expect(body.order.status).toBe(sum === 640 ? 'paid' : 'pending_payment');
    }
  });

  test('takes a repeated part once, also when the response was lost and the sale is paid by now', async () => {
    const id = await till.open();
    const key = randomUUID();
    const forget = () => running.service.database.query(sql.type(z.object({}))`delete from idempotency_key`);
    await pay(id, [card(300)], key);
    await forget();
    expect((await pay(id, [card(300)], key)).body.left_pence).toBe(340);
    await till.pay(id, [{ kind: 'cash' }]);
    await forget();
    expect((await pay(id, [card(300)], key)).body.order.status).toBe('paid');
    expect(await ledgerOf(running, id)).toHaveLength(2);
  });

  test('gives back what was paid when it is cancelled, by its tenders and out of the open drawer, once', async () => {
    const id = await till.open();
    await pay(id, [{ kind: 'cash', given_pence: 300 }]);
    await till.call('POST', '/api/v1/orders/drawers/close', { store_id: store.id, counted_pence: 1_300 });
    running.clock.advance({ minutes: 1 });
    await till.call('POST', '/api/v1/orders/drawers', { store_id: store.id, float_pence: 500 });
    await pay(id, [card(100)]);
    expect([(await cancel(id)).status, (await cancel(id)).status]).toEqual([200, 200]);
    expect(await drawer()).toMatchObject({ cash_taken_pence: 0, cash_refunded_pence: 300, expected_pence: 200 });
    const { order } = (await till.get(id)).body;
    expect(order).toMatchObject({ status: 'cancelled', tenders: [{ refunded_pence: 300 }, { refunded_pence: 100 }] });
    const { body: log } = await till.call('GET', `/api/v1/orders/${id}/log?store_id=${store.id}`);
    expect(log.entries[0].detail).toBe('Given back: £3.00 in cash, £1.00 by card reader (4711).');
    const returned = sql.type(
      z.object({ by: z.string().nullable() }),
    )`select returned_by_id as by from part_payment where order_id = ${id}`;
    expect(new Set(await running.service.database.anyFirst(returned))).toEqual(new Set([till.sub]));
    expect(codeOf(await pay(id, [card(100)]))).toEqual([409, 'ORDER_TERMINAL']);
  });

  test('does not expire once a part of it is paid', async () => {
    const [id, unpaid] = [await till.open(), await till.open()];
    await pay(id, [card(100)]);
    running.clock.advance({ hours: 13 });
    await expireUnpaidOrders(running.service.context);
    expect([(await till.get(id)).body.order.status, (await till.get(unpaid)).body.order.status]).toEqual(['pending_payment', 'expired']);
    expect((await till.pay(id, [{ kind: 'cash' }])).body.order.status).toBe('paid');
  });

  test('does not expire when a part is paid after the job has listed it', async () => {
    const id = await till.open();
    await pay(id, [card(100)]);
    await running.service.database.transaction((tx) =>
      endUnpaidOrder(tx, { storeId: store.id, orderId: id, as: 'expired', title: 'Too late' }),
    );
    expect((await till.get(id)).body.order.status).toBe('pending_payment');
  });

  test('is not ended by a version that knows no parts, neither as paid nor as cancelled', async () => {
    const id = await till.open();
    await pay(id, [card(100)]);
    for (const status of ['paid', 'cancelled'])
      await expect(
        running.service.database.query(sql.type(z.object({}))`update orders set payment_status = ${status} where id = ${id}`),
      ).rejects.toMatchObject({ constraint: 'parts_end_with_their_sale' });
  });
});

test('a sale with a voucher is paid whole', async () => {
  const id = await till.open();
  await running.service.database.query(sql.type(z.object({}))`update orders set voucher_id = ${randomUUID()} where id = ${id}`);
  expect(codeOf(await pay(id, [card(100)]))).toEqual([409, 'TENDERS_NOT_APPLICABLE']);
});

test('the database refuses parts that reach the total of their sale', async () => {
  const id = await till.open();
  await pay(id, [card(600)]);
  const more = sql.type(z.object({}))`
    insert into part_payment (provider_ref, store_id, order_id, tender, amount_pence, at, by_id)
    values (${randomUUID()}, ${store.id}, ${id}, 'cash', 40, now(), 'x')`;
  await expect(running.service.database.query(more)).rejects.toMatchObject({ constraint: 'parts_stay_below_the_total' });
});
