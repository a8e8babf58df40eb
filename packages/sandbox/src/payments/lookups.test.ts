import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { receiveWebhooks } from './testing/receive-webhooks.ts';
import { order, paid, refusal, stripeTo } from './testing/stripe-to.ts';

let time: Date;
let payments: RunningPayments;
let stripe: Stripe;
beforeEach(async () => {
  time = new Date('2026-05-04T10:00:00Z');
  payments = await startPayments({ accounts: ['acct_shop'], now: () => time, settleAfterMs: null });
  stripe = stripeTo(payments);
});
afterEach(() => payments.stop());

const later = (seconds: number): void => {
  time = new Date(time.getTime() + seconds * 1_000);
};
const secondsNow = () => Math.floor(time.getTime() / 1_000);
const day = 24 * 60 * 60;

describe('the events', () => {
  test('are listed newest first, in pages, also when every webhook was lost', async () => {
    await using endpoint = await receiveWebhooks();
    payments.controls.webhook({ url: endpoint.url, secrets: ['whsec_1'], events: ['*'] });
    payments.controls.delivery({ lose: ['*'] });
    const { id } = await paid(stripe);
    const refund = await stripe.refunds.create({ payment_intent: id });
    payments.controls.failRefund(refund.id);
    await payments.controls.settled();
    expect(endpoint.received).toEqual([]);

    const paying = ['payment_intent.succeeded', 'charge.succeeded', 'application_fee.created', 'transfer.created'];
    const all = ['refund.failed', 'refund.updated', 'charge.refunded', 'refund.created', ...paying];
    const first = await stripe.events.list({ limit: 4 });
    expect([first.data.map(({ type }) => type), first.has_more]).toEqual([all.slice(0, 4), true]);
    const next = await stripe.events.list({ limit: 5, starting_after: first.data.at(-1)?.id ?? '' });
    expect([next.data.map(({ type }) => type), next.has_more]).toEqual([[...all.slice(4), 'payment_intent.created'], false]);
    const newer = await stripe.events.list({ ending_before: first.data[2]?.id ?? '', limit: 1 });
    expect([newer.data.map(({ type }) => type), newer.has_more]).toEqual([['refund.updated'], true]);
  });

  test('of some types can be lost, while the others arrive', async () => {
    await using endpoint = await receiveWebhooks();
    payments.controls.webhook({ url: endpoint.url, secrets: ['whsec_1'] });
    payments.controls.delivery({ lose: ['refund.*'] });
    const { id } = await paid(stripe);
    await stripe.refunds.create({ payment_intent: id });
    await payments.controls.settled();
    expect(endpoint.types().sort()).toEqual(['charge.refunded', 'payment_intent.succeeded']);
    expect((await stripe.events.list({ type: 'refund.*' })).data.map(({ type }) => type)).toEqual(['refund.created']);
  });

  test('that are held can be discarded', async () => {
    await using endpoint = await receiveWebhooks();
    payments.controls.webhook({ url: endpoint.url, secrets: ['whsec_1'] });
    payments.controls.delivery({ hold: true });
    await paid(stripe);
    expect(payments.controls.discard()).toBe(1);
    expect(await payments.controls.flush()).toBe(0);
    expect(payments.books().deliveries).toMatchObject([{ state: 'dropped', attempts: 0 }]);
  });

  test('are filtered by time and by types, and are gone after 30 days', async () => {
    await stripe.customers.create({});
    later(600);
    const since = secondsNow();
    await paid(stripe);
    const recent = await stripe.events.list({ created: { gte: since }, types: ['payment_intent.succeeded', 'customer.created'] });
    expect(recent.data.map(({ type }) => type)).toEqual(['payment_intent.succeeded']);
    expect(await refusal(stripe.events.list({ type: 'refund.failed', types: ['refund.failed'] }))).toMatchObject({ param: 'type' });
    const tooMany = Array.from({ length: 21 }, () => 'refund.failed');
    expect(await refusal(stripe.events.list({ types: tooMany }))).toMatchObject({ statusCode: 400, param: 'types' });

    const { id } = recent.data[0] as Stripe.Event;
    later(30 * day);
    expect((await stripe.events.list()).data).toEqual([]);
    expect(await refusal(stripe.events.retrieve(id))).toMatchObject({ statusCode: 404 });
  });

  test('of a connected account are listed in its name only', async () => {
    payments.controls.registerAccount('acct_shop', { charges: false });
    expect((await stripe.events.list({ type: 'account.updated' })).data).toEqual([]);
    const own = await stripe.events.list({ type: 'account.updated' }, { stripeAccount: 'acct_shop' });
    expect(own.data).toMatchObject([{ account: 'acct_shop', data: { object: { id: 'acct_shop', charges_enabled: false } } }]);
    expect(await refusal(stripe.events.list({}, { stripeAccount: 'acct_other' }))).toMatchObject({
      statusCode: 403,
      code: 'account_invalid',
    });
  });
});

describe('what a call did whose response was lost', () => {
  test('is found at once by the lists: intents by customer and time, refunds by intent', async () => {
    const customer = await stripe.customers.create({ metadata: { customer_id: 'c-1' } });
    await stripe.paymentIntents.create({ ...order, customer: customer.id });
    later(60);
    const since = secondsNow();
    payments.controls.failNext({ how: 'error_after', method: 'POST', path: '/v1/payment_intents' });
    await refusal(stripe.paymentIntents.create({ ...order, customer: customer.id, metadata: { order_id: 'order-2' } }));
    const intents = await stripe.paymentIntents.list({ customer: customer.id, created: { gte: since } });
    expect(intents.data).toMatchObject([{ metadata: { order_id: 'order-2' } }]);

    const { id } = await paid(stripe);
    payments.controls.failNext({ how: 'error_after', method: 'POST', path: '/v1/refunds' });
    await refusal(stripe.refunds.create({ payment_intent: id, amount: 100, metadata: { refund_id: 'r-1' } }));
    expect((await stripe.refunds.list({ payment_intent: id })).data).toMatchObject([{ amount: 100, metadata: { refund_id: 'r-1' } }]);
    expect((await stripe.customers.list({ created: { gte: since - 60 } })).data).toMatchObject([{ metadata: { customer_id: 'c-1' } }]);
  });
});
