import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { awardOrder, type ServiceName } from '@corner/contracts';
import { replyExample, successExample } from '@corner/contracts/specs/examples.ts';
import { readRunFile, runFileIn } from '@corner/operator';
import { people, stores, storyOrder } from '@corner/sandbox/demo';
import { simulatorKey } from '@corner/sandbox/system';
import { testFolder, until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { main, runCorner } from '../../testing/run-corner.ts';

const { DATABASE_URL: _database, NATS_URL: _nats, STRIPE_SECRET_KEY: _key, ...env } = process.env;
const store_id = stores.coffee.id;
const cardOfAna = `/api/v1/loyalty/customer-state?store_id=${store_id}&customer_id=${people.ana.id}`;

let folder: Awaited<ReturnType<typeof testFolder>>;
beforeAll(async () => {
  folder = await testFolder();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

const runHere = (...words: readonly string[]) => runCorner([...words, '--data', folder.path], env);

async function startOnly(service: ServiceName) {
  const words = [main, 'start', '--only', service, '--data', folder.path];
  const system = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(system, 'exit');
  const run = await until(() => readRunFile(runFileIn(folder.path)), { describe: `${service} to run alone` });
  const call = async (path: string, body?: object, token = run.tokens.ana) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${run.gateway}${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
    return { status: response.status, example: response.headers.get('corner-example'), body: await response.json() };
  };
  const stop = async () => {
    system.kill('SIGTERM');
    await ended;
  };
  return { run, call, [Symbol.asyncDispose]: stop };
}

test('a service that Corner does not have is refused with the names of those it has', async () => {
  const { code, errors } = await runHere('start', '--only', 'payments');
  expect(code).toBe(1);
  expect(errors).toContain('Allowed choices are orders, loyalty, queue, notifications, directory.');
});

test('with orders alone an order is placed and paid, and the stamps are those of the recorded reply', async () => {
  await using orders = await startOnly('orders');
  expect(Object.keys(orders.run.services)).toEqual(['orders', 'gateway']);
  const basket = { store_code: stores.coffee.code, store_id, idempotency_key: randomUUID(), items: storyOrder.items };
  const placed = await orders.call('/api/v1/orders', { ...basket, order_type: 'collect', collection_mode: 'now' });
  const { payment_intent_id } = placed.body as { readonly payment_intent_id: string };
  await fetch(`${orders.run.payments}/v1/payment_intents/${payment_intent_id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorKey}` },
    body: new URLSearchParams({ payment_method: 'pm_card_visa', return_url: 'https://example.com' }),
  });
  const paid = await orders.call('/api/v1/orders/confirm', { store_id, payment_intent_id });
  const { stamps_added, stamp_count } = replyExample(awardOrder.name) as { readonly stamps_added: number; readonly stamp_count: number };
  expect(paid).toMatchObject({ status: 200, example: null, body: { status: 'paid', stamps_added, stamp_count } });

  expect(await orders.call(cardOfAna)).toEqual({ status: 200, example: 'customerState', body: successExample('customerState') });
  const refusal = { code: 'UPSTREAM_UNAVAILABLE', message: expect.stringMatching(/^queue is not running/) };
  expect(await orders.call('/api/v1/queue/unknown')).toEqual({ status: 503, example: null, body: { error: refusal } });

  expect(await runHere('events', 'play', 'tap.presented')).toMatchObject({
    code: 0,
    output: expect.stringContaining('orders processed it'),
  });
  expect(await runHere('events', 'play', 'order.paid')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/orders runs here, and publishes order\.paid itself\n.*npx corner start .*--only loyalty\n/),
  });
});

test('with loyalty alone each played order.paid is another order, whose stamp is on the card', async () => {
  await using loyalty = await startOnly('loyalty');
  const card = async () => await loyalty.call(cardOfAna, undefined, loyalty.run.tokens.bo);
  expect(await card()).toMatchObject({ example: null, body: { stamp_count: 0 } });
  for (const stamps of [1, 2]) {
    expect(await runHere('events', 'play', 'order.paid')).toMatchObject({
      code: 0,
      output: expect.stringContaining('loyalty processed it'),
    });
    expect(await card()).toMatchObject({ body: { stamp_count: stamps } });
  }
  const wrong = await runHere('events', 'play', 'order.paid', '--set', '{"total_pence":"much"}');
  expect(wrong).toMatchObject({ code: 1, errors: expect.stringContaining('--set: total_pence') });
  expect(await runHere('events', 'play', 'order.sold')).toMatchObject({ code: 1, errors: expect.stringContaining('order.paid') });
});
