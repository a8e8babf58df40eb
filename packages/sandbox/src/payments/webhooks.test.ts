import { describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { type PaymentsOptions, startPayments } from './start-payments.ts';
import { receiveWebhooks } from './testing/receive-webhooks.ts';
import { order, paid, refusal, stripeTo } from './testing/stripe-to.ts';

const secrets = ['whsec_old', 'whsec_new'];
const retry = { firstMs: 1, mostMs: 4, forMs: 60_000 };
const start = (url: string, options: PaymentsOptions = {}) =>
  startPayments({ accounts: ['acct_shop'], webhook: { url, secrets }, retry, settleAfterMs: null, ...options });

describe('webhooks', () => {
  test('are signed with every secret over the bytes that are sent', async () => {
    await using endpoint = await receiveWebhooks();
    await using payments = await start(endpoint.url);
    const stripe = stripeTo(payments);
    const { id } = await paid(stripe);
    await payments.controls.settled();
    const [one] = endpoint.received;
    if (!one) throw new Error('nothing arrived');
    for (const secret of secrets) {
      const event = stripe.webhooks.constructEvent(one.body, one.signature, secret);
      expect(event).toMatchObject({
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object: { id, metadata: order.metadata } },
      });
    }
    expect(() => stripe.webhooks.constructEvent(one.body, one.signature, 'whsec_other')).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
    expect(() => stripe.webhooks.constructEvent(`${one.body} `, one.signature, 'whsec_new')).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
  });

  test('carry the time of sending, so that an old one can be detected', async () => {
    await using endpoint = await receiveWebhooks();
    await using payments = await start(endpoint.url, { now: () => new Date(Date.now() - 301_000) });
    const stripe = stripeTo(payments);
    await paid(stripe);
    await payments.controls.settled();
    const { body = '', signature = '' } = endpoint.received[0] ?? {};
    expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_new')).toThrow('tolerance');
  });

  test('report every change that the platform handles, with the key of the request that made it', async () => {
    await using endpoint = await receiveWebhooks();
    await using payments = await start(endpoint.url);
    const stripe = stripeTo(payments);
    const { controls } = payments;
    const emitted = async (work: () => unknown): Promise<string[]> => {
      const before = endpoint.received.length;
      await work();
      await controls.settled();
      return endpoint.types().slice(before).sort();
    };
    const { id } = await stripe.paymentIntents.create(order);
    expect(await emitted(() => refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' })))).toEqual([
      'payment_intent.payment_failed',
    ]);
    expect(await emitted(() => stripe.paymentIntents.cancel(id))).toEqual(['payment_intent.canceled']);
    const slow = await paid(stripe, {}, 'pm_card_processing');
    expect(await emitted(() => controls.settleIntent(slow.id, 'succeeded'))).toContain('payment_intent.succeeded');
    expect(endpoint.types()).toContain('payment_intent.processing');
    const refund = await stripe.refunds.create({ payment_intent: slow.id, amount: 100 }, { idempotencyKey: 'refund:1' });
    expect(await emitted(() => {})).toEqual(['charge.refunded', 'refund.created']);
    expect(JSON.parse(endpoint.received.at(-1)?.body ?? '')).toMatchObject({ request: { idempotency_key: 'refund:1' } });
    expect(await emitted(() => controls.failRefund(refund.id))).toEqual(['refund.failed', 'refund.updated']);
    expect(await emitted(() => controls.dashboardRefund(slow.id, 50))).toEqual(['charge.refunded', 'refund.created']);
    expect(await emitted(() => controls.openDispute(slow.id))).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
    const dispute = payments.books().disputes[0]?.id ?? '';
    expect(await emitted(() => controls.closeDispute(dispute, 'lost'))).toEqual(['charge.dispute.closed']);
    expect(await emitted(() => controls.registerAccount('acct_shop', { charges: false }))).toEqual([
      'account.updated',
      'capability.updated',
      'v2.core.account[configuration.merchant].capability_status_updated',
    ]);
    expect(await emitted(() => controls.registerAccount('acct_shop'))).toEqual([]);
  });

  test('are sent again until they get a 2xx response', async () => {
    await using endpoint = await receiveWebhooks((_, soFar) => (soFar < 4 ? 503 : 200));
    await using payments = await start(endpoint.url);
    await paid(stripeTo(payments));
    await payments.controls.settled();
    expect(endpoint.received.map(({ id }) => id)).toEqual(Array(4).fill(endpoint.received[0]?.id));
    expect(payments.books().deliveries).toMatchObject([{ attempts: 4, delivered: 1, state: 'delivered' }]);
  });

  test('are given up after their time', async () => {
    let time = Date.now();
    await using endpoint = await receiveWebhooks(() => {
      time += 30_000;
      return 500;
    });
    await using payments = await start(endpoint.url, { now: () => new Date(time) });
    await paid(stripeTo(payments));
    await payments.controls.settled();
    expect(payments.books().deliveries).toMatchObject([{ state: 'given_up', delivered: 0 }]);
  });

  test('do not wait for others that are being sent', async () => {
    let release = (): void => {};
    const stuck = new Promise<number>((resolve) => (release = () => resolve(200)));
    await using endpoint = await receiveWebhooks((_, soFar) => (soFar === 1 ? stuck : release()) ?? 200);
    await using payments = await start(endpoint.url);
    const stripe = stripeTo(payments);
    await Promise.all([paid(stripe), paid(stripe)]);
    await payments.controls.settled();
    expect(endpoint.received).toHaveLength(2);
  });

  test('can be sent several times', async () => {
    await using endpoint = await receiveWebhooks();
    await using payments = await start(endpoint.url);
    payments.controls.delivery({ duplicates: 9 });
    await paid(stripeTo(payments));
    await payments.controls.settled();
    expect(endpoint.received).toHaveLength(10);
    expect(new Set(endpoint.received.map(({ id }) => id)).size).toBe(1);
  });

  test('can be held and flushed in reverse order', async () => {
    await using endpoint = await receiveWebhooks();
    await using payments = await start(endpoint.url);
    payments.controls.delivery({ hold: true });
    const stripe = stripeTo(payments);
    const { id } = await paid(stripe, {}, 'pm_card_processing');
    payments.controls.settleIntent(id, 'succeeded');
    await stripe.refunds.create({ payment_intent: id });
    await payments.controls.settled();
    expect(endpoint.received).toEqual([]);
    expect(await payments.controls.flush('reversed')).toBe(4);
    expect(endpoint.types()).toEqual(['charge.refunded', 'refund.created', 'payment_intent.succeeded', 'payment_intent.processing']);
    expect(await payments.controls.flush()).toBe(0);
  });

  test('can overtake each other', async () => {
    await using endpoint = await receiveWebhooks();
    await using payments = await start(endpoint.url);
    payments.controls.delivery({ reverse: true });
    const { id } = await paid(stripeTo(payments), {}, 'pm_card_processing');
    payments.controls.settleIntent(id, 'succeeded');
    await payments.controls.settled();
    expect(endpoint.types()).toEqual(['payment_intent.succeeded', 'payment_intent.processing']);
  });

  test('are lost as the seed determines, and can be sent again', async () => {
    await using endpoint = await receiveWebhooks();
    const lostWith = async (seed: number): Promise<string> => {
      await using payments = await start(endpoint.url);
      payments.controls.delivery({ dropPercent: 50, seed });
      const stripe = stripeTo(payments);
      for (let n = 0; n < 20; n += 1) await paid(stripe);
      await payments.controls.settled();
      const states = payments.books().deliveries.map(({ state }) => state);
      const lost = payments.books().deliveries.find(({ state }) => state === 'dropped');
      expect(endpoint.received.some(({ id }) => id === lost?.id)).toBe(false);
      expect(await payments.controls.resend(lost?.id ?? '')).toBe(true);
      expect(endpoint.received.at(-1)?.id).toBe(lost?.id);
      return states.map((state) => state.charAt(1)).join('');
    };
    const [one, same, other] = [await lostWith(7), await lostWith(7), await lostWith(8)];
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });

  test('are sent only to the endpoint and for the types it subscribes to', async () => {
    await using endpoint = await receiveWebhooks();
    await using payments = await startPayments({ accounts: ['acct_shop'], retry });
    const stripe = stripeTo(payments);
    await paid(stripe);
    payments.controls.webhook({ url: endpoint.url, secrets, events: ['charge.succeeded'] });
    await paid(stripe);
    payments.controls.webhook(null);
    await paid(stripe);
    await payments.controls.settled();
    expect(endpoint.types()).toEqual(['charge.succeeded']);
    expect(payments.books().events.filter(({ type }) => type === 'payment_intent.succeeded')).toHaveLength(3);
  });
});
