import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { order, stripeTo } from './testing/stripe-to.ts';

const shop = 'http://localhost:4007';
let payments: RunningPayments;
let stripe: Stripe;
beforeAll(async () => {
  payments = await startPayments({ accounts: ['acct_shop'], settleAfterMs: null });
  stripe = stripeTo(payments);
});
afterAll(() => payments.stop());

async function confirmInBrowser(more: Record<string, string> = {}) {
  const { id, client_secret } = await stripe.paymentIntents.create(order);
  const response = await fetch(`${payments.url}/v1/payment_intents/${id}/confirm`, {
    method: 'POST',
    headers: { origin: shop, authorization: 'Bearer pk_test_corner' },
    body: new URLSearchParams({ payment_method: 'pm_card_authenticationRequired', client_secret: client_secret ?? '', ...more }),
  });
  return { id, client_secret, confirmed: (await response.json()) as Stripe.PaymentIntent };
}
const choose = (url: string, outcome: string, accept = 'text/html') =>
  fetch(url, { method: 'POST', redirect: 'manual', headers: { origin: shop, accept }, body: new URLSearchParams({ outcome }) });

test('a bank that asks is answered on a page, and the browser goes on to the shop, which learns how it ended', async () => {
  for (const [outcome, status] of [
    ['succeeded', 'succeeded'],
    ['failed', 'requires_payment_method'],
  ] as const) {
    const { id, client_secret, confirmed } = await confirmInBrowser({ return_url: `${shop}/orders/1/pay?a=b` });
    expect(confirmed.status).toBe('requires_action');
    const url = confirmed.next_action?.redirect_to_url?.url ?? '';
    expect(await (await fetch(url)).text()).toContain('Yes, it is me');
    const back = await choose(url, outcome);
    expect(back.status).toBe(303);
    expect(Object.fromEntries(new URL(back.headers.get('location') ?? '').searchParams)).toEqual({
      a: 'b',
      payment_intent: id,
      payment_intent_client_secret: client_secret,
      redirect_status: outcome,
    });
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status, next_action: null });
  }
});

test('a script of the shop settles it without leaving its page, once, and sees what a device may see', async () => {
  const { id, confirmed } = await confirmInBrowser();
  const sdk = confirmed.next_action?.use_stripe_sdk as { readonly stripe_js?: string } | undefined;
  const url = sdk?.stripe_js ?? '';
  const response = await choose(url, 'failed', 'application/json');
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, shop]);
  const seen = (await response.json()) as object;
  expect(seen).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code: 'payment_intent_authentication_failure' } });
  expect(seen).not.toHaveProperty('metadata');
  const again = await choose(url, 'succeeded', 'application/json');
  expect([again.status, await again.json()]).toMatchObject([400, { error: { code: 'payment_intent_unexpected_state' } }]);
  expect((await stripe.paymentIntents.retrieve(id)).latest_charge).toBeNull();
  expect((await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status).toBe('succeeded');
});

test('a wrong client secret opens nothing', async () => {
  const { id, confirmed } = await confirmInBrowser({ return_url: shop });
  const url = new URL(confirmed.next_action?.redirect_to_url?.url ?? '');
  url.searchParams.set('client_secret', `${id}_secret_guess`);
  expect((await choose(url.href, 'succeeded')).status).toBe(404);
  url.searchParams.delete('client_secret');
  expect((await choose(url.href, 'succeeded')).status).toBe(404);
  expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_action');
});
