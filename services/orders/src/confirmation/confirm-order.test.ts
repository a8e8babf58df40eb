import { awardOrder, type RpcOutput, rpcSubject } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customer, pay, worker } from '../testing/callers.ts';
import { eventsOf, ledgerOf, logOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({ welcome_message: 'Hello again' });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const paidTimes = async (orderId: string) => (await eventsOf(running, orderId)).filter(({ type }) => type === 'order.paid').length;

async function loyalty(award: RpcOutput<typeof awardOrder>) {
  const { broker } = await running.service.backbone;
  const calls: { readonly order_id: string }[] = [];
  const subscription = broker.connection.subscribe(broker.subject(rpcSubject(awardOrder)), {
    callback: (_error, message) => {
      calls.push(message.json());
      const nth = new Set(calls.map(({ order_id }) => order_id)).size;
      message.respond(JSON.stringify({ output: { ...award, stamp_count: award.stamp_count + nth } }));
    },
  });
  await broker.connection.flush();
  return { calls, [Symbol.dispose]: () => subscription.unsubscribe() };
}

test('a succeeded payment marks the order paid: one charge, one event, accepted, with a collection code', async () => {
  const ada = customer(running);
  const { body: order } = await ada.create(store, { order_type: 'collect', tip_pence: 60 });
  const { status, body } = await ada.payAndConfirm(store, order);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    order_id: order.order_id,
    status: 'paid',
    fulfilment_status: 'accepted',
    total_pence: 700,
    subtotal_pence: 640,
    prep_minutes: 5,
    welcome_message: 'Hello again',
    is_first_order: true,
    ask_marketing_opt_in: null,
  });
  expect(body.collection_code).toMatch(/^[2-9A-Z]{4}$/);
  expect(new Date(body.requested_collection_at).getTime()).toBe(running.clock.now().getTime() + 5 * 60_000);
  expect(await ledgerOf(running, order.order_id)).toEqual([{ kind: 'charge', amount_pence: 700 }]);
  expect(await logOf(running, order.order_id)).toEqual(['placed', 'paid']);
  const published = await eventsOf(running, order.order_id);
  expect(published.map(({ type }) => type)).toEqual(['order.paid', 'order.fulfilment_changed']);
  expect(published[0]?.data).toMatchObject({ total_pence: 700, tip_pence: 60, net_of_tip_pence: 640, is_first: true });
  expect((await worker(running, store).get(order.order_id)).body.order).toMatchObject({ status: 'paid', fulfilment_status: 'accepted' });
});

test('when loyalty does not reply the award fields are left out', async () => {
  const ada = customer(running);
  const order = await ada.paid(store);
  const { status, body } = await ada.confirm(store, order.payment_intent_id);
  expect(status).toBe(200);
  for (const field of ['loyalty_awarded', 'voucher_minted', 'stamps_added', 'stamp_count', 'goal']) expect(body).not.toHaveProperty(field);
});

test('every confirm of an order returns the award that loyalty keeps of it', async () => {
  using awards = await loyalty({
    awarded: true,
    stamps_added: 1,
    stamp_count: 4,
    goal: 10,
    voucher_minted: false,
    reward_title: null,
    reward_unlock_message: null,
  });
  const ada = customer(running);
  const order = await ada.paid(store);
  const responses = await Promise.all(Array.from({ length: 5 }, () => ada.confirm(store, order.payment_intent_id)));
  for (const { body } of responses) expect(body).toMatchObject({ loyalty_awarded: true, stamps_added: 1, stamp_count: 5, goal: 10 });
  for (const call of awards.calls) expect(call).toMatchObject({ order_id: order.order_id, net_of_tip_pence: 640, is_first: true });
});

test('twenty concurrent confirms write one charge and publish one event', async () => {
  const ada = customer(running);
  const { body: order } = await ada.create(store);
  await pay(running, order.payment_intent_id);
  const responses = await Promise.all(Array.from({ length: 20 }, () => ada.confirm(store, order.payment_intent_id)));
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await ledgerOf(running, order.order_id)).toHaveLength(1);
  expect(await paidTimes(order.order_id)).toBe(1);
});

test('a payment that has not succeeded is 409, with a retry hint while it is processing', async () => {
  const ada = customer(running);
  const { body: order } = await ada.create(store);
  const early = await ada.confirm(store, order.payment_intent_id);
  expect([early.status, early.body.error.code, early.headers.get('retry-after')]).toEqual([409, 'PAYMENT_NOT_SUCCEEDED', null]);
  const waiting = await ada.payAndConfirm(store, order, 'pm_card_processing');
  expect([waiting.status, waiting.body.error.code, waiting.headers.get('retry-after')]).toEqual([409, 'PAYMENT_NOT_SUCCEEDED', '2']);
  running.payments.controls.settleIntent(order.payment_intent_id, 'succeeded');
  expect((await ada.confirm(store, order.payment_intent_id)).body.status).toBe('paid');
});

test('after a declined card the order keeps its holds and can be paid with another card', async () => {
  const ada = customer(running);
  const own = await running.openStore();
  const { body: order } = await ada.create(own, { items: [{ menu_item_id: 'last-cake', quantity: 1 }] });
  expect((await ada.payAndConfirm(own, order, 'pm_card_chargeDeclined')).body.error.code).toBe('PAYMENT_NOT_SUCCEEDED');
  expect((await worker(running, own).get(order.order_id)).body.order.status).toBe('payment_failed');
  expect((await customer(running).create(own, { items: [{ menu_item_id: 'last-cake', quantity: 1 }] })).body.error.code).toBe(
    'OUT_OF_STOCK',
  );
  expect((await ada.payAndConfirm(own, order)).body.status).toBe('paid');
});

test.each([
  ['total_pence', sql.fragment`total_pence + 1`],
  ['currency', sql.fragment`'EUR'`],
  ['connected_account_id', sql.fragment`'acct_other'`],
])('a payment that does not match the order is refused: %s', async (column, value) => {
  const ada = customer(running);
  const { body: order } = await ada.create(store);
  await pay(running, order.payment_intent_id);
  await running.service.database.query(sql.type(z.object({}))`
    update orders set ${sql.identifier([column])} = ${value} where id = ${order.order_id}`);
  const { status, body } = await ada.confirm(store, order.payment_intent_id);
  expect([status, body.error.code]).toEqual([409, 'PAYMENT_MISMATCH']);
  expect(await ledgerOf(running, order.order_id)).toEqual([]);
});

test('an intent unknown to the provider is 409', async () => {
  const ada = customer(running);
  const { body: order } = await ada.create(store);
  await running.service.database.query(sql.type(z.object({}))`
    update orders set payment_intent_id = 'pi_unknown' where id = ${order.order_id}`);
  expect((await ada.confirm(store, 'pi_unknown')).body.error.code).toBe('PAYMENT_INTENT_NOT_ON_PLATFORM');
});

test('a confirm while the provider is down is 502, and the order is paid by a later one', async () => {
  const ada = customer(running);
  const { body: order } = await ada.create(store);
  await pay(running, order.payment_intent_id);
  running.payments.controls.failNext({ how: 'error_before', method: 'GET', path: order.payment_intent_id, times: 10 });
  const { status, body } = await ada.confirm(store, order.payment_intent_id);
  running.payments.controls.clearFaults();
  expect([status, body.error.code]).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
  expect((await ada.confirm(store, order.payment_intent_id)).body.status).toBe('paid');
});

test('an order of another customer or store is not found, and staff may not confirm', async () => {
  const order = await customer(running).paid(store);
  const other = await running.openStore();
  const ada = customer(running);
  for (const response of [await ada.confirm(store, order.payment_intent_id), await ada.confirm(other, order.payment_intent_id)]) {
    expect([response.status, response.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  }
  const request = { store_id: store.id, payment_intent_id: order.payment_intent_id };
  expect((await worker(running, store).call('POST', '/api/v1/orders/confirm', request)).status).toBe(403);
  const bad = await customer(running).call('POST', '/api/v1/orders/confirm', { store_id: store.id, payment_intent_id: '' });
  expect([bad.status, bad.body.error.message]).toEqual([400, expect.stringContaining('payment_intent_id')]);
});
