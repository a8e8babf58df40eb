import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { refusal, stripeTo } from './testing/stripe-to.ts';

let payments: RunningPayments;
let stripe: Stripe;
beforeAll(async () => {
  payments = await startPayments();
  stripe = stripeTo(payments);
});
afterAll(() => payments.stop());

test.each([
  ['usd', 49, 50],
  ['gbp', 29, 30],
  ['jpy', 49, 50],
  ['huf', 17_499, 17_500],
  ['AED', 199, 200],
])('the smallest charge in %s is not %p but %p', async (currency, tooLittle, enough) => {
  expect(await refusal(stripe.paymentIntents.create({ amount: tooLittle, currency }))).toMatchObject({
    code: 'amount_too_small',
    param: 'amount',
  });
  expect(await stripe.paymentIntents.create({ amount: enough, currency })).toMatchObject({
    amount: enough,
    currency: currency.toLowerCase(),
  });
});

test.each([
  ['kwd', 1_005, 1_010],
  ['isk', 1_050, 1_100],
])('an amount in %s that does not exist is refused: %p, but not %p', async (currency, wrong, right) => {
  expect(await refusal(stripe.paymentIntents.create({ amount: wrong, currency }))).toMatchObject({ statusCode: 400, param: 'amount' });
  expect(await stripe.paymentIntents.create({ amount: right, currency })).toMatchObject({ amount: right });
});

test.each(['xxx', 'btc', 'gb'])('the currency %s is refused', async (currency) => {
  expect(await refusal(stripe.paymentIntents.create({ amount: 1_000, currency }))).toMatchObject({ statusCode: 400, param: 'currency' });
});
