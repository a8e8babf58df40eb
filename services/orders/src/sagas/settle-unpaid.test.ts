import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Context } from '../context.ts';
import { findOrderByIntent, type OrderRow } from '../tables/orders.ts';
import { customer, pay } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { watchWork } from '../testing/watch-work.ts';
import { settleUnpaid } from './settle-unpaid.ts';

let running: Running;
let store: OpenStore;
beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** An order whose payment two requests settle at once. */
async function settledTwice(card?: string) {
  const { body } = await customer(running).create(store);
  const intentId: string = body.payment_intent_id;
  await pay(running, intentId, card);
  const order = (await findOrderByIntent(running.service.database, intentId)) as OrderRow;
  const { context, done } = watchWork(running);
  const { asked, release, payments } = holdFirst(context.payments);
  const settle = () => settleUnpaid({ ...context, payments }, order, intentId, null);
  return { intentId, done, settle, asked, release };
}

/** The provider, whose first response about an intent is held until it is released, and is an error when it is released with one. */
function holdFirst(payments: Context['payments']) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<Error | undefined>();
  let first = true;
  const intent: Context['payments']['intent'] = async (id) => {
    const isFirst = first;
    first = false;
    const response = await payments.intent(id);
    if (!isFirst) return response;
    asked.resolve();
    const error = await released.promise;
    if (error) throw error;
    return response;
  };
  return { asked: asked.promise, release: released.resolve, payments: { ...payments, intent } };
}

test('two that settle a payment at once ask the provider once, and mark the order paid by one statement', async () => {
  const { done, settle, asked, release } = await settledTwice();
  const both = [settle(), settle()];
  await asked;
  release(undefined);
  for (const settled of await Promise.all(both)) expect(settled).toMatchObject({ order: { payment_status: 'paid' } });
  expect(done).toEqual(['provider intent', 'accept-payment']);
});

test('the second one asks again when the first one asked before the payment succeeded', async () => {
  const { intentId, settle, asked, release } = await settledTwice('pm_card_processing');
  const [first, second] = [settle(), settle()];
  await asked;
  running.payments.controls.settleIntent(intentId, 'succeeded');
  release(undefined);
  expect(await first).toMatchObject({ intentStatus: 'processing', order: { payment_status: 'pending_payment' } });
  expect(await second).toMatchObject({ intentStatus: 'succeeded', order: { payment_status: 'paid' } });
});

test('the second one asks itself when the first one fails, and a later one waits for neither', async () => {
  const { settle, asked, release } = await settledTwice('pm_card_processing');
  const [first, second] = [settle(), settle()];
  await asked;
  release(new Error('no response'));
  await expect(first).rejects.toThrow('no response');
  expect(await second).toMatchObject({ intentStatus: 'processing' });
  expect(running.service.context.settling.size).toBe(0);
});
