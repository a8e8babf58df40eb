import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { order, paid, refusal, stripeTo } from './testing/stripe-to.ts';

let time: Date;
let payments: RunningPayments;
let stripe: Stripe;
beforeEach(async () => {
  time = new Date('2026-05-04T10:00:00Z');
  payments = await startPayments({ accounts: ['acct_shop'], now: () => time });
  stripe = stripeTo(payments);
});
afterEach(() => payments.stop());

const key = { idempotencyKey: 'pi:order-1' };
const hours = (n: number): void => {
  time = new Date(time.getTime() + n * 60 * 60 * 1_000);
};
const post = (path: string, body: string, idempotencyKey: string) =>
  fetch(`${payments.url}${path}`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer sk_test_corner',
      'Idempotency-Key': idempotencyKey,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body,
  });

describe('an idempotency key', () => {
  test('returns the stored bytes for a repeat, marked as replayed', async () => {
    const first = await post('/v1/payment_intents', 'amount=500&currency=gbp', 'k');
    const second = await post('/v1/payment_intents', 'amount=500&currency=gbp', 'k');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'));
    expect(await second.text()).toBe(await first.text());
    expect(payments.books().intents).toHaveLength(1);
  });

  test('makes one intent of 50 simultaneous creates', async () => {
    payments.controls.latency(40);
    const patient = stripeTo(payments, 'sk_test_corner', 10);
    const all = await Promise.all(Array.from({ length: 50 }, () => patient.paymentIntents.create(order, key)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    const [intent, ...others] = payments.books().intents;
    expect([intent?.id, others]).toEqual([all[0]?.id, []]);
    expect(payments.books().posts).toMatchObject([{ key: key.idempotencyKey, path: '/v1/payment_intents', executed: 1 }]);
    expect(payments.books().posts[0]?.received).toBeGreaterThanOrEqual(50);
  });

  test('is refused with 409 while the first request with it is in progress', async () => {
    payments.controls.latency(300);
    const [one, two] = await Promise.all([
      post('/v1/payment_intents', 'amount=500&currency=gbp', 'k'),
      post('/v1/payment_intents', 'amount=500&currency=gbp', 'k'),
    ]);
    const busy = one.status === 409 ? one : two;
    expect([one.status, two.status].sort()).toEqual([200, 409]);
    expect(await busy.json()).toMatchObject({ error: { code: 'idempotency_key_in_use' } });
  });

  test('is refused with other parameters and for another endpoint', async () => {
    await stripe.paymentIntents.create(order, key);
    const other = await refusal(stripe.paymentIntents.create({ ...order, amount: 999 }, key));
    expect(other).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError', rawType: 'idempotency_error' });
    expect(await refusal(stripe.customers.create({}, key))).toMatchObject({ rawType: 'idempotency_error' });
    expect(payments.books().intents.map(({ amount }) => amount)).toEqual([1_000]);
  });

  test('expires after 24 hours; the same request is then carried out again', async () => {
    const first = await stripe.paymentIntents.create(order, key);
    hours(23.9);
    expect((await stripe.paymentIntents.create(order, key)).id).toBe(first.id);
    hours(0.2);
    expect((await stripe.paymentIntents.create(order, key)).id).not.toBe(first.id);
    expect(payments.books().posts).toEqual([{ key: 'pi:order-1', path: '/v1/payment_intents', received: 3, executed: 2 }]);
  });

  test('stays unused when the request is refused before it is carried out', async () => {
    await refusal(stripe.paymentIntents.create({ ...order, amount: 29 }, key));
    expect(await stripe.paymentIntents.create(order, key)).toMatchObject({ amount: 1_000 });
  });

  test('replays a declined card, so that a repeat never charges again', async () => {
    const { id } = await stripe.paymentIntents.create(order);
    const confirm = () => refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }, key));
    const [first, second] = [await confirm(), await confirm()];
    expect([first.code, second.code, second.charge]).toEqual(['card_declined', 'card_declined', first.charge]);
    expect(payments.books().charges).toHaveLength(1);
  });

  test('replays a 500 too, with and without the effect behind it', async () => {
    for (const how of ['error_before', 'error_after'] as const) {
      payments.controls.failNext({ how, path: '/v1/payment_intents' });
      for (const _ of [1, 2]) {
        expect(await refusal(stripe.paymentIntents.create(order, { idempotencyKey: how }))).toMatchObject({
          statusCode: 500,
          rawType: 'api_error',
        });
      }
    }
    expect(payments.books().intents).toHaveLength(1);
    expect(payments.books().posts.map(({ key: name, executed }) => [name, executed])).toEqual([
      ['error_before', 1],
      ['error_after', 1],
    ]);
  });

  test('keeps a 500 for a day for every kind of request; only a new key asks again', async () => {
    payments.controls.topUp(100_000);
    const { id: payment_intent, latest_charge } = await paid(stripe);
    const transfer = (await stripe.charges.retrieve(latest_charge as string)).transfer as string;
    const { id: customer } = await stripe.customers.create({});
    const requests: Record<string, (options: Stripe.RequestOptions) => Promise<unknown>> = {
      '/v1/customers': (options) => stripe.customers.create({}, options),
      '/v1/payment_intents': (options) => stripe.paymentIntents.create(order, options),
      '/v1/ephemeral_keys': (options) => stripe.ephemeralKeys.create({ customer }, { ...options, apiVersion: '2025-01-01.acacia' }),
      '/v1/refunds': (options) => stripe.refunds.create({ payment_intent, amount: 100 }, options),
      '/v1/transfers': (options) => stripe.transfers.create({ amount: 100, currency: 'gbp', destination: 'acct_shop' }, options),
      '/reversals': (options) => stripe.transfers.createReversal(transfer, { amount: 100 }, options),
    };
    const counts = () => {
      const { customers, intents, ephemeralKeys, refunds, transfers, transferReversals } = payments.books();
      return [customers, intents, ephemeralKeys, refunds, transfers, transferReversals].map(({ length }) => length);
    };
    const start = counts();
    let made = 0;
    for (const how of ['error_before', 'error_after'] as const) {
      for (const [path, request] of Object.entries(requests)) {
        const idempotencyKey = `${path} ${how}`;
        payments.controls.failNext({ how, method: 'POST', path });
        const first = await refusal(request({ idempotencyKey }));
        hours(23.9);
        const replayed = await refusal(request({ idempotencyKey }));
        expect([first.statusCode, replayed.statusCode, replayed.headers?.['idempotent-replayed']]).toEqual([500, 500, 'true']);
        expect(replayed.headers?.['original-request']).toBe(first.requestId);
        await request({ idempotencyKey: `${idempotencyKey} again` });
        hours(-23.9);
      }
      made += how === 'error_after' ? 2 : 1;
      expect(counts()).toEqual(start.map((count) => count + made));
    }
  });

  test('expires with the simulator’s own clock too, which a control moves', async () => {
    payments.controls.failNext({ how: 'error_before', path: '/v1/payment_intents' });
    await refusal(stripe.paymentIntents.create(order, key));
    payments.controls.advance(23 * 60 * 60 * 1_000);
    expect(await refusal(stripe.paymentIntents.create(order, key))).toMatchObject({ statusCode: 500 });
    payments.controls.advance(60 * 60 * 1_000);
    const created = Math.floor(time.getTime() / 1_000) + 24 * 60 * 60;
    expect(await stripe.paymentIntents.create(order, key)).toMatchObject({ created });
  });

  test('returns the response that was lost on the first attempt', async () => {
    const { id } = await paid(stripe);
    payments.controls.failNext({ how: 'lost_after', method: 'POST', path: '/v1/refunds', times: 2 });
    const lost = await refusal(stripe.refunds.create({ payment_intent: id, amount: 100 }, key));
    expect(lost.type).toBe('StripeConnectionError');
    expect(await stripe.refunds.create({ payment_intent: id, amount: 100 }, key)).toMatchObject({ amount: 100 });
    expect(payments.books().refunds).toHaveLength(1);
  });

  test('stays unused after a request that was lost before it had an effect', async () => {
    payments.controls.failNext({ how: 'lost_before', times: 2 });
    expect((await refusal(stripe.paymentIntents.create(order, key))).type).toBe('StripeConnectionError');
    expect(payments.books().intents).toEqual([]);
    await stripe.paymentIntents.create(order, key);
    expect(payments.books().intents).toHaveLength(1);
  });

  test('stays unused after a 429', async () => {
    payments.controls.failNext({ how: 'rate_limited' });
    expect((await refusal(stripe.paymentIntents.create(order, key))).type).toBe('StripeRateLimitError');
    expect(await stripe.paymentIntents.create(order, key)).toMatchObject({ amount: 1_000 });
  });

  test('is not affected by faults that were cleared', async () => {
    payments.controls.failNext({ how: 'error_before', times: 9 });
    payments.controls.clearFaults();
    await expect(stripe.paymentIntents.create(order, key)).resolves.toMatchObject({ amount: 1_000 });
  });
});
