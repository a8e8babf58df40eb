import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { startPayments } from './start-payments.ts';
import { receiveWebhooks } from './testing/receive-webhooks.ts';
import { order, paid, refusal, stripeTo } from './testing/stripe-to.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payments-'));
});
afterAll(() => rm(folder, { recursive: true }));

const shop = { accounts: ['acct_shop'] };

describe('a restart', () => {
  test('keeps the books, the keys and their responses, in a file for its owner only', async () => {
    const stateFile = join(folder, 'kept.jsonl');
    const one = await startPayments({ ...shop, stateFile });
    const { id } = await paid(stripeTo(one));
    const refund = await stripeTo(one).refunds.create({ payment_intent: id, amount: 100 }, { idempotencyKey: 'refund:1' });
    const before = one.books();
    await one.stop();
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);

    await using two = await startPayments({ ...shop, stateFile });
    expect(two.books()).toEqual(before);
    const again = await stripeTo(two).refunds.create({ payment_intent: id, amount: 100 }, { idempotencyKey: 'refund:1' });
    expect(again.id).toBe(refund.id);
    expect(two.books().refunds).toHaveLength(1);
  });

  test('drops a change that was being written when the process died', async () => {
    const stateFile = join(folder, 'torn.jsonl');
    const one = await startPayments({ ...shop, stateFile });
    await paid(stripeTo(one));
    const before = one.books();
    await one.stop();
    appendFileSync(stateFile, '[{"id":"pi_torn","object":"payment_int');
    await using two = await startPayments({ ...shop, stateFile });
    expect(two.books()).toEqual(before);
  });

  test('sends the events that had not been delivered', async () => {
    const stateFile = join(folder, 'undelivered.jsonl');
    const secrets = ['whsec_1'];
    const retry = { firstMs: 60_000, mostMs: 60_000, forMs: 600_000 };
    await using endpoint = await receiveWebhooks();
    {
      await using one = await startPayments({ ...shop, stateFile, retry, webhook: { url: 'http://127.0.0.1:9/', secrets } });
      await paid(stripeTo(one));
    }
    await using two = await startPayments({ ...shop, stateFile, retry, webhook: { url: endpoint.url, secrets } });
    await two.controls.settled();
    expect(endpoint.types()).toEqual(['payment_intent.succeeded']);
  });

  test('ends slow payments and slow refunds that were in progress', async () => {
    const stateFile = join(folder, 'slow.jsonl');
    const one = await startPayments({ ...shop, stateFile, settleAfterMs: null });
    const slow = await paid(stripeTo(one), {}, 'pm_card_processing');
    const { id } = await paid(stripeTo(one), {}, 'pm_card_pendingRefund');
    const refund = await stripeTo(one).refunds.create({ payment_intent: id });
    await one.stop();
    await using endpoint = await receiveWebhooks();
    await using two = await startPayments({ ...shop, stateFile, settleAfterMs: 1, webhook: { url: endpoint.url, secrets: ['whsec_1'] } });
    while (endpoint.received.length < 2) await endpoint.next();
    expect(endpoint.types().sort()).toEqual(['payment_intent.succeeded', 'refund.updated']);
    expect(await stripeTo(two).paymentIntents.retrieve(slow.id)).toMatchObject({ status: 'succeeded' });
    expect(await stripeTo(two).refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' });
  });
});

describe('the program', () => {
  test('loses nothing it has confirmed when it is killed, and exits on SIGTERM', async () => {
    const env = {
      PAYMENTS_STATE: join(folder, 'process.jsonl'),
      PAYMENTS_API_KEY: 'sk_test_own',
      PAYMENTS_ACCOUNTS: 'acct_shop, acct_two',
    };
    const one = await run(env);
    const { id } = await one.stripe.paymentIntents.create({ ...order, confirm: true, payment_method: 'pm_card_visa' });
    one.child.kill('SIGKILL');
    await once(one.child, 'exit');

    const two = await run(env);
    expect(await two.stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'succeeded' });
    expect((await two.stripe.accounts.list()).data.map((account) => account.id).sort()).toEqual(['acct_shop', 'acct_two']);
    two.child.kill('SIGTERM');
    expect(await once(two.child, 'exit')).toEqual([0, null]);
  });

  test('does not start with a webhook address but no secret', async () => {
    const child = program({ PAYMENTS_WEBHOOK_URL: 'http://127.0.0.1:9/' });
    expect((await once(child, 'exit'))[0]).not.toBe(0);
  });
});

describe('the controls over HTTP', () => {
  test('do what the methods do, and refuse unknown operations', async () => {
    await using payments = await startPayments({ settleAfterMs: null });
    const stripe = stripeTo(payments);
    const sim = async (operation: string, body: unknown = {}) => {
      const response = await fetch(`${payments.url}/_sim/${operation}`, { method: 'POST', body: JSON.stringify(body) });
      return [response.status, await response.json()] as const;
    };
    expect(await sim('register-account', { account: 'acct_shop' })).toMatchObject([200, { id: 'acct_shop' }]);
    const { id } = await paid(stripe, {}, 'pm_card_processing');
    expect(await sim('settle-intent', { payment_intent: id, outcome: 'succeeded' })).toMatchObject([200, { status: 'succeeded' }]);
    const [, refund] = await sim('dashboard-refund', { payment_intent: id, amount: 100 });
    expect(await sim('fail-refund', { refund: (refund as Stripe.Refund).id })).toMatchObject([200, { status: 'failed' }]);
    const [, dispute] = await sim('open-dispute', { payment_intent: id });
    expect(await sim('close-dispute', { dispute: (dispute as Stripe.Dispute).id, outcome: 'won' })).toMatchObject([200, { status: 'won' }]);
    expect(await sim('restrict-account', { account: 'acct_shop' })).toMatchObject([200, { charges_enabled: false }]);
    expect(await sim('restore-account', { account: 'acct_shop' })).toMatchObject([200, { charges_enabled: true }]);
    expect(await sim('top-up', { amount: 500 })).toMatchObject([200, { net: 500 }]);
    expect(await sim('pay-out', { account: 'acct_shop' })).toMatchObject([200, { account: 'acct_shop' }]);
    const { id: other } = await paid(stripe);
    const [, inquiry] = await sim('open-dispute', { payment_intent: other, inquiry: true });
    expect(await sim('escalate-inquiry', { dispute: (inquiry as Stripe.Dispute).id })).toMatchObject([200, { status: 'needs_response' }]);
    const prevented = { dispute: (inquiry as Stripe.Dispute).id, status: 'prevented', money: 'returned' };
    expect(await sim('set-dispute', prevented)).toMatchObject([
      200,
      { status: 'prevented', balance_transactions: [{}, { amount: 1_000 }] },
    ]);
    const { id: debit } = await paid(stripe);
    expect(await sim('fail-late', { payment_intent: debit })).toMatchObject([200, { status: 'requires_payment_method' }]);
    expect((await sim('advance', { milliseconds: 1_000 }))[0]).toBe(200);
    expect(await sim('discard')).toEqual([200, { discarded: 0 }]);
    expect(await sim('delivery', { hold: true, seed: 3 })).toMatchObject([200, { hold: true, seed: 3, duplicates: 0 }]);
    expect(await sim('fail-next', { how: 'error_before' })).toEqual([200, { ok: true }]);
    expect(await refusal(stripe.paymentIntents.retrieve(id))).toMatchObject({ statusCode: 500 });
    for (const operation of ['flush', 'settled', 'clear-faults']) expect((await sim(operation))[0]).toBe(200);
    expect((await sim('latency', { milliseconds: 0 }))[0]).toBe(200);
    expect((await sim('webhook', null))[0]).toBe(200);

    expect((await sim('fail-next', { how: 'badly' }))[0]).toBe(400);
    expect((await sim('resend', { event: 'evt_none' }))[0]).toBe(404);
    expect((await sim('constructor'))[0]).toBe(404);
    const books = (await (await fetch(`${payments.url}/_sim/books`)).json()) as object;
    expect(books).toEqual(JSON.parse(JSON.stringify(payments.books())));
  });
});

function program(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function run(env: Record<string, string>) {
  const child = program(env);
  if (!child.stdout) throw new Error('no output to read');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { listening } = JSON.parse(line) as { listening: number };
  const stripe = new Stripe('sk_test_own', { host: '127.0.0.1', port: listening, protocol: 'http', telemetry: false });
  return { child, stripe };
}
