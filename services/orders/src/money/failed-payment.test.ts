import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customer, pay } from '../testing/callers.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { compareLedger } from './jobs.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore({ delayed_payment_methods: true });
  running.payments.controls.topUp(100_000, 'gbp');
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const differences = () =>
  running.service.database.any(sql.type(z.object({ kind: z.string(), provider_ref: z.string() }))`
    select kind, provider_ref from ledger_difference`);

async function compareLater() {
  running.clock.advance({ hours: 1 });
  await Promise.all([1, 2].map(() => compareLedger(running.service.context)));
}

test('a bank debit that fails after it had succeeded is no second charge: the order’s money is gone, once', async () => {
  const order = await paidOrder(running, store);
  await compareLater();
  running.payments.controls.failLate(order.intent);
  await compareLater();
  await compareLater();
  expect(await order.ledger()).toEqual([
    ['charge', 640],
    ['dispute', -640],
    ['transfer_reversal', 608],
  ]);
  expect(await differences()).toEqual([]);
  expect(await order.published('payment.disputed')).toEqual([
    expect.objectContaining({ state: 'lost', reason: 'payment_failed', amount_pence: 640 }),
  ]);
  expect((await order.refund()).body.error.code).toBe('ORDER_DISPUTED');
  expect(await order.logged('dispute_lost')).toBe(1);
});

test('one that begins and fails between two comparisons, before its order was paid, moves nothing', async () => {
  const ada = customer(running);
  const { body: order } = await ada.create(store);
  await pay(running, order.payment_intent_id);
  running.payments.controls.failLate(order.payment_intent_id);
  await compareLater();
  expect(await differences()).toEqual([]);
});
