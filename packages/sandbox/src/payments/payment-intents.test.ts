import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { order, paid, refusal, stripeTo } from './testing/stripe-to.ts';

let payments: RunningPayments;
let stripe: Stripe;
beforeAll(async () => {
  payments = await startPayments({ accounts: ['acct_shop'], settleAfterMs: null });
  stripe = stripeTo(payments);
});
afterAll(() => payments.stop());

describe('a payment intent', () => {
  test('is created as requested and waits for a payment method', async () => {
    const customer = await stripe.customers.create({ name: 'Ana', metadata: { customer_id: 'c1' } });
    const intent = await stripe.paymentIntents.create({ ...order, customer: customer.id, on_behalf_of: 'acct_shop' });
    expect(intent).toMatchObject({
      ...order,
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount_received: 0,
      customer: customer.id,
      on_behalf_of: 'acct_shop',
      latest_charge: null,
    });
    expect(intent.id).toMatch(/^pi_3\w{24}$/);
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{24}$`));
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
  });

  test('is paid by a good card: a charge, a transfer of the whole amount, and the fee taken back', async () => {
    const intent = await paid(stripe);
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 1_000 });
    const whole = await stripe.paymentIntents.retrieve(intent.id, {
      expand: ['latest_charge.application_fee', 'latest_charge.transfer', 'latest_charge.balance_transaction'],
    });
    expect(whole.latest_charge).toMatchObject({
      paid: true,
      captured: true,
      amount_captured: 1_000,
      transfer_group: 'order-1',
      metadata: { order_id: 'order-1' },
      application_fee: { amount: 33, account: 'acct_shop', amount_refunded: 0 },
      transfer: { amount: 1_000, destination: 'acct_shop', amount_reversed: 0 },
      balance_transaction: { amount: 1_000, fee: 35, net: 965 },
    });
  });

  test('is declined for a bad card, says why, and accepts another card afterwards', async () => {
    const { id } = await stripe.paymentIntents.create(order);
    const declined = await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclinedInsufficientFunds' }));
    expect(declined).toMatchObject({ statusCode: 402, rawType: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' });
    expect(declined.payment_intent).toMatchObject({ id, status: 'requires_payment_method' });
    const waiting = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    expect(waiting.last_payment_error).toMatchObject({ code: 'card_declined', decline_code: 'insufficient_funds' });
    expect(waiting.latest_charge).toMatchObject({ status: 'failed', paid: false, amount_captured: 0 });
    const again = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    expect(again).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });

  test('can be slow: it succeeds or fails when the bank decides, and cannot be cancelled meanwhile', async () => {
    const [good, bad] = [await paid(stripe, {}, 'pm_card_processing'), await paid(stripe, {}, 'pm_card_processing')];
    expect(good.status).toBe('processing');
    expect(await refusal(stripe.paymentIntents.cancel(good.id))).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
    });
    payments.controls.settleIntent(good.id, 'succeeded');
    payments.controls.settleIntent(bad.id, 'failed');
    expect(await stripe.paymentIntents.retrieve(good.id)).toMatchObject({ status: 'succeeded', amount_received: 1_000 });
    expect(await stripe.paymentIntents.retrieve(bad.id)).toMatchObject({ status: 'requires_payment_method', amount_received: 0 });
  });

  test("is paid on a device with the publishable key and the client secret, which hide the platform's fields", async () => {
    const device = stripeTo(payments, 'pk_test_corner');
    const { id, client_secret } = await stripe.paymentIntents.create(order);
    const secret = { client_secret: client_secret ?? '' };
    const wrong = await refusal(
      device.paymentIntents.confirm(id, {
        payment_method: 'pm_card_visa',
        client_secret: `${id}_secret_guess`,
      } as Stripe.PaymentIntentConfirmParams),
    );
    expect(wrong).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    expect(await refusal(device.paymentIntents.retrieve(id))).toMatchObject({ statusCode: 404 });
    const seen = await device.paymentIntents.confirm(id, {
      payment_method: 'pm_card_visa',
      ...secret,
    } as Stripe.PaymentIntentConfirmParams);
    expect(seen.status).toBe('succeeded');
    for (const hidden of ['metadata', 'application_fee_amount', 'transfer_data']) expect(seen).not.toHaveProperty(hidden);
    expect(await refusal(device.paymentIntents.list())).toMatchObject({ statusCode: 403, code: 'secret_key_required' });
    expect(await refusal(device.refunds.create({ payment_intent: id }))).toMatchObject({ statusCode: 403 });
  });

  const impossible: readonly [string, object, object][] = [
    ['no amount', { amount: undefined }, { code: 'parameter_missing', param: 'amount' }],
    ['no currency', { currency: undefined }, { code: 'parameter_missing', param: 'currency' }],
    ['an unknown currency', { currency: 'zzz' }, { param: 'currency' }],
    ['less than 30 pence', { amount: 29, application_fee_amount: 1 }, { code: 'amount_too_small', param: 'amount' }],
    ['no money at all', { amount: 0 }, { code: 'parameter_invalid_integer', param: 'amount' }],
    ['half a penny', { amount: 99.5 }, { code: 'parameter_invalid_integer', param: 'amount' }],
    ['a fee above the amount', { application_fee_amount: 1_001 }, { param: 'application_fee_amount' }],
    ['a fee without a destination', { transfer_data: undefined }, { param: 'application_fee_amount' }],
    [
      'an unknown destination',
      { transfer_data: { destination: 'acct_other' } },
      { code: 'resource_missing', param: 'transfer_data[destination]' },
    ],
    ['an unknown owner', { on_behalf_of: 'acct_other' }, { code: 'resource_missing', param: 'on_behalf_of' }],
    ['an unknown customer', { customer: 'cus_other' }, { code: 'resource_missing', param: 'customer' }],
    ['an unknown card', { payment_method: 'pm_other' }, { code: 'resource_missing', param: 'payment_method' }],
    ['an unknown parameter', { amout: 1 }, { code: 'parameter_unknown', param: 'amout' }],
    ['an unknown expansion', { expand: ['nothing'] }, { param: 'expand' }],
  ];
  test.each(impossible)('is not created with %s', async (_, changes, error) => {
    const before = payments.books().intents.length;
    expect(await refusal(stripe.paymentIntents.create({ ...order, ...changes }))).toMatchObject({
      statusCode: 400,
      rawType: 'invalid_request_error',
      ...error,
    });
    expect(payments.books().intents).toHaveLength(before);
  });

  test('is not created for an account that cannot receive transfers', async () => {
    payments.controls.registerAccount('acct_new', { transfers: false });
    const refused = await refusal(stripe.paymentIntents.create({ ...order, transfer_data: { destination: 'acct_new' } }));
    expect(refused).toMatchObject({ code: 'insufficient_capabilities_for_transfer' });
  });

  test('changes state only as Stripe allows', async () => {
    const unexpected = { statusCode: 400, code: 'payment_intent_unexpected_state' };
    const succeeded = await paid(stripe);
    const { id } = await stripe.paymentIntents.create(order);
    expect(await refusal(stripe.paymentIntents.confirm(id))).toMatchObject(unexpected);
    const canceled = await stripe.paymentIntents.cancel(id);
    const card = { payment_method: 'pm_card_visa' };
    const refused = await Promise.all(
      [
        stripe.paymentIntents.confirm(succeeded.id, card),
        stripe.paymentIntents.cancel(succeeded.id),
        stripe.paymentIntents.confirm(canceled.id, card),
        stripe.paymentIntents.cancel(canceled.id),
      ].map(refusal),
    );
    for (const one of refused) expect(one).toMatchObject(unexpected);
    expect(refused[0]?.payment_intent).toMatchObject({ id: succeeded.id, status: 'succeeded' });
  });
});

describe('the API', () => {
  test('refuses a wrong key, a missing key, an unknown path and an unknown account', async () => {
    const wrong = await refusal(stripeTo(payments, 'sk_test_wrong').paymentIntents.list());
    expect(wrong).toMatchObject({ statusCode: 401, rawType: 'invalid_request_error' });
    expect(wrong.message).not.toContain('sk_test_wrong');
    expect((await fetch(`${payments.url}/v1/payment_intents`)).status).toBe(401);
    const unknown = await fetch(`${payments.url}/v1/invoices`, { headers: { Authorization: 'Bearer sk_test_corner' } });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { type: 'invalid_request_error' } }]);
    const { id } = await stripe.paymentIntents.create(order);
    expect(await refusal(stripe.paymentIntents.retrieve(id, {}, { stripeAccount: 'acct_shop' }))).toMatchObject({ statusCode: 404 });
    expect(await refusal(stripe.paymentIntents.retrieve(id, {}, { stripeAccount: 'acct_other' }))).toMatchObject({
      statusCode: 403,
      code: 'account_invalid',
    });
    const missing = await refusal(stripe.paymentIntents.retrieve('pi_none'));
    expect(missing).toMatchObject({ statusCode: 404, code: 'resource_missing', requestId: expect.stringMatching(/^req_/) });
  });

  test('lists by customer and time, newest first, in pages', async () => {
    const customer = (await stripe.customers.create()).id;
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.push((await stripe.paymentIntents.create({ ...order, customer })).id);
    const first = await stripe.paymentIntents.list({ customer, limit: 2 });
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([made.slice(3).reverse(), true]);
    const all: string[] = [];
    for await (const { id } of stripe.paymentIntents.list({ customer, limit: 2 })) all.push(id);
    expect(all).toEqual(made.toReversed());
    const created = first.data[0]?.created ?? 0;
    expect((await stripe.paymentIntents.list({ customer, created: { gt: created + 60 } })).data).toEqual([]);
    expect((await stripe.paymentIntents.list({ customer, created: { gte: created - 60 }, limit: 100 })).data).toHaveLength(5);
  });

  test('lists events since a time, for reconciliation', async () => {
    const { id } = await paid(stripe);
    const [event] = (await stripe.events.list({ type: 'payment_intent.succeeded', limit: 1 })).data;
    expect(event).toMatchObject({ type: 'payment_intent.succeeded', data: { object: { id, status: 'succeeded' } } });
    expect(await stripe.events.retrieve(event?.id ?? '')).toEqual(event);
    const kinds = (await stripe.events.list({ types: ['charge.succeeded', 'payment_intent.created'], limit: 2, created: { gte: 0 } })).data;
    expect(kinds.map(({ type }) => type)).toEqual(['charge.succeeded', 'payment_intent.created']);
  });

  test('makes ephemeral keys for the version of the mobile SDK and stores no secret', async () => {
    const customer = (await stripe.customers.create()).id;
    const key = await stripe.ephemeralKeys.create({ customer }, { apiVersion: '2024-06-20' });
    expect(key).toMatchObject({ object: 'ephemeral_key', secret: expect.stringMatching(/^ek_test_/), expires: key.created + 3_600 });
    expect(payments.books().ephemeralKeys.at(-1)).toMatchObject({
      id: key.id,
      api_version: '2024-06-20',
      associated_objects: [{ id: customer }],
    });
    expect(JSON.stringify(payments.books())).not.toMatch(/ek_test_|_secret_/);
    const bare = await fetch(`${payments.url}/v1/ephemeral_keys`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_test_corner' },
      body: `customer=${customer}`,
    });
    expect(bare.status).toBe(400);
  });

  test('returns accounts', async () => {
    expect(await stripe.accounts.retrieve('acct_shop')).toMatchObject({ charges_enabled: true, capabilities: { transfers: 'active' } });
    expect((await stripe.accounts.list()).data.map(({ id }) => id)).toContain('acct_shop');
  });
});

test.each([
  ['is longer than 22 characters', 'Corner Coffee of the Bridge'],
  ['has a sign that statements cannot show', 'Corner* Coffee'],
  ['has letters that are not Latin', 'Кофейня'],
  ['has no letter', '1042'],
])('an end of the line on the statement is refused when it %s', async (_, statement_descriptor_suffix) => {
  const error = await refusal(stripe.paymentIntents.create({ ...order, statement_descriptor_suffix }));
  expect(error).toMatchObject({ statusCode: 400, param: 'statement_descriptor_suffix' });
});

test('methods can be limited to some that are offered then, and not also be chosen by the provider or be listed whole', async () => {
  const allowed_payment_method_types = ['card' as const, 'ideal' as const];
  const intent = await stripe.paymentIntents.create({ ...order, allowed_payment_method_types });
  expect(intent).toMatchObject({ allowed_payment_method_types, payment_method_types: ['card'] });
  const both = { ...order, allowed_payment_method_types, automatic_payment_methods: { enabled: true } };
  expect(await refusal(stripe.paymentIntents.create(both))).toMatchObject({ param: 'allowed_payment_method_types' });
  // Since 2026-09-30 the provider's types have this list in responses only.
  const listed = { ...order, payment_method_types: ['card'] } as typeof order;
  expect(await refusal(stripe.paymentIntents.create(listed))).toMatchObject({ code: 'parameter_unknown', param: 'payment_method_types' });
});
