import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { explainOrders } from '../tables/explain.ts';
import { readProviderState } from '../tables/provider-state.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { compareLedger } from './compare-ledger.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
  running.payments.controls.topUp(100_000, 'gbp');
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const none = z.object({});
const Open = z.object({ kind: z.string(), provider_pence: z.number().nullable(), ledger_pence: z.number().nullable() });
/** The differences of an order that are not explained. */
const open = (orderId: string) =>
  running.service.database.any(sql.type(Open)`
    select kind, provider_pence, ledger_pence from ledger_difference where order_id = ${orderId} and explained_at is null order by kind`);
/** An hour later, compares on two replicas at once. */
const compareLater = async () => {
  running.clock.advance({ hours: 1 });
  await Promise.all([1, 2].map(() => compareLedger(running.service.context)));
};

test('payments, refunds that fail, and disputes that are won or lost agree with the provider’s balance', async () => {
  const orders = await Promise.all([1, 2, 3].map(() => paidOrder(running, store)));
  const [refunded, won, lost] = orders as [(typeof orders)[0], (typeof orders)[0], (typeof orders)[0]];
  const { body } = await refunded.refund(200);
  running.payments.controls.failRefund(body.refund.id);
  await sendEventsAbout(running, body.refund.id, 'refund.failed');
  for (const [{ intent }, outcome] of [
    [won, 'won'],
    [lost, 'lost'],
  ] as const) {
    const { id } = running.payments.controls.openDispute(intent);
    await sendEventsAbout(running, id, 'charge.dispute.created');
    running.payments.controls.closeDispute(id, outcome);
    await sendEventsAbout(running, id, 'charge.dispute.closed');
  }
  await compareLater();
  await compareLater();
  for (const { id } of orders) expect(await open(id)).toEqual([]);
  expect((await won.ledger()).map(([kind]) => kind)).toContain('transfer');
});

test('a full refund after a partial one that failed agrees with the provider’s balance', async () => {
  const order = await paidOrder(running, store);
  const { body } = await order.refund(200);
  running.payments.controls.failRefund(body.refund.id);
  await sendEventsAbout(running, body.refund.id, 'refund.failed');
  expect((await order.refund()).body.refund.amount).toBe(640);
  await compareLater();
  expect(await open(order.id)).toEqual([]);
  expect(await order.ledger()).toContainEqual(['transfer_reversal', 440]);
});

test('a movement whose every event was lost is settled, and is no difference', async () => {
  const order = await paidOrder(running, store);
  running.payments.controls.dashboardRefund(order.intent, 100);
  running.payments.controls.openDispute(order.intent);
  await compareLater();
  expect((await order.ledger()).map(([kind]) => kind)).toEqual(expect.arrayContaining(['refund', 'dispute', 'dispute_fee']));
  expect(await open(order.id)).toEqual([]);
});

test('a row that the ledger lacks, has with another amount, or has alone is recorded once, explained to an operator, and goes away', async () => {
  const { database } = running.service;
  const order = await paidOrder(running, store);
  const { body } = await order.refund(200);
  await database.query(sql.type(none)`delete from ledger where provider_ref = ${body.refund.id}`);
  await database.query(sql.type(none)`update ledger set amount_pence = 600 where provider_ref = ${order.intent}`);
  await database.query(sql.type(none)`
    insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
    values (${store.id}, ${order.id}, 'refund', 're_never', -5, ${running.clock.now().toISOString()})`);
  await compareLater();
  await compareLater();
  expect(await open(order.id)).toEqual([
    { kind: 'charge', provider_pence: 640, ledger_pence: 600 },
    { kind: 'refund', provider_pence: -200, ledger_pence: null },
    { kind: 'refund', provider_pence: null, ledger_pence: -5 },
  ]);
  expect(await readProviderState(database, running.clock.now())).toMatchObject({
    differences: 3,
    cursors: expect.arrayContaining([{ name: 'movements', age: 900 }]),
  });
  const { facts } = await explainOrders(database, [order.id]);
  expect(facts.filter(({ sentence }) => sentence.includes('differs')).map(({ sentence }) => sentence)).toEqual(
    expect.arrayContaining([expect.stringContaining(`6.40 GBP at the provider and 6.00 GBP here (charge, ${order.intent})`)]),
  );

  await database.query(sql.type(none)`update ledger set amount_pence = 640 where provider_ref = ${order.intent}`);
  await database.query(sql.type(none)`delete from ledger where provider_ref = 're_never'`);
  await database.query(sql.type(none)`
    insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
    values (${store.id}, ${order.id}, 'refund', ${body.refund.id}, -200, ${running.clock.now().toISOString()})`);
  await compareLater();
  expect(await open(order.id)).toEqual([]);
});

test('a transfer that was reversed by hand at the provider is a difference', async () => {
  const order = await paidOrder(running, store);
  const transfer = running.payments.books().transfers.find(({ transfer_group }) => transfer_group === order.id);
  await fetch(`${running.payments.url}/v1/transfers/${transfer?.id}/reversals`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_corner' },
    body: new URLSearchParams({ amount: '50' }),
  });
  await compareLater();
  expect(await open(order.id)).toEqual([{ kind: 'transfer_reversal', provider_pence: 50, ledger_pence: null }]);
});

test('while the provider is down nothing is recorded or skipped', async () => {
  const order = await paidOrder(running, store);
  running.payments.controls.dashboardRefund(order.intent, 100);
  running.payments.controls.failNext({ how: 'lost_before', method: 'GET', path: '/v1/balance_transactions', times: 50 });
  running.clock.advance({ hours: 30 });
  await expect(compareLedger(running.service.context)).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_ERROR' });
  running.payments.controls.clearFaults();
  await compareLater();
  expect(await order.ledger()).toContainEqual(['refund', -100]);
  expect(await open(order.id)).toEqual([]);
});
