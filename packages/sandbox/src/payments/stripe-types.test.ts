import { describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { routes } from './routes.ts';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { recordExchanges } from './stripe-types.ts';
import { order, paid, refusal, stripeTo } from './testing/stripe-to.ts';

describe('held against the types of Stripe’s own library', () => {
  test('every request that is taken, every response and every event is what they say', async () => {
    const exchanges = recordExchanges();
    await using payments = await startPayments({ settleAfterMs: null, observe: exchanges.observe, accounts: ['acct_shop'] });
    const stripe = stripeTo(payments);
    await payFor(stripe, payments);
    await refundAndTransfer(stripe, payments);
    await dispute(stripe, payments);
    await openAccounts(stripe, payments);
    await list(stripe);
    expect(routes.map(({ line }) => line).filter((line) => !exchanges.seen().routes.has(line))).toEqual([]);
    expect(await exchanges.deviations()).toEqual([]);
  });

  test('one field that Stripe does not have, and one that is missing, are found', async () => {
    const { observe, deviations } = recordExchanges();
    const response = { line: 'GET balance', form: {}, isDevice: false, status: 200 };
    observe({ ...response, body: '{"object":"balance","available":[],"livemode":false,"pending":[]}' });
    expect(await deviations()).toEqual([]);
    observe({ ...response, body: '{"object":"balance","available":[],"livemode":false,"pending":[],"own":1}' });
    observe({ ...response, form: { of: '1' }, body: '{"object":"balance","available":[],"livemode":false}' });
    expect((await deviations()).map((line) => line.slice(0, 25))).toEqual([
      'response 200 GET balance:',
      'request GET balance: TS23',
      'response 200 GET balance:',
    ]);
  });
});

async function payFor(stripe: Stripe, payments: RunningPayments): Promise<void> {
  const customer = await stripe.customers.create({
    metadata: { customer_id: '1' },
    email: 'a@example.com',
    name: 'A',
    phone: '+447700900123',
  });
  await stripe.customers.retrieve(customer.id);
  await stripe.ephemeralKeys.create({ customer: customer.id }, { apiVersion: '2026-10-28.endive' });
  const all: Stripe.PaymentIntentCreateParams = {
    ...order,
    customer: customer.id,
    description: 'x',
    allowed_payment_method_types: ['card', 'link'],
    statement_descriptor_suffix: 'Corner',
    on_behalf_of: 'acct_shop',
    receipt_email: 'a@example.com',
    setup_future_usage: 'on_session',
  };
  const { id, client_secret } = await stripe.paymentIntents.create(all);
  await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction', 'customer'] });
  await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclinedInsufficientFunds' }));
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_authenticationRequired', return_url: 'https://example.com' });
  payments.controls.settleIntent(id, 'failed');
  const device = new URL(`${payments.url}/v1/payment_intents/${id}`);
  const headers = { Authorization: 'Bearer pk_test_corner' };
  const secret = new URLSearchParams({ client_secret: client_secret ?? '' });
  await fetch(`${device}?${secret}`, { headers });
  const confirmed = new URLSearchParams([...secret, ['payment_method', 'pm_card_processing']]);
  await fetch(`${device}/confirm`, { method: 'POST', headers, body: confirmed });
  payments.controls.settleIntent(id, 'succeeded');
  await refusal(stripe.paymentIntents.cancel(id));
  payments.controls.failLate(id);
  const cancelled = await stripe.paymentIntents.create({ amount: 100, currency: 'gbp', automatic_payment_methods: { enabled: true } });
  await stripe.paymentIntents.cancel(cancelled.id, { cancellation_reason: 'abandoned' });
  await stripe.customers.del(customer.id);
  await refusal(stripe.customers.retrieve(customer.id));
}

async function refundAndTransfer(stripe: Stripe, payments: RunningPayments): Promise<void> {
  const share = { refund_application_fee: true, reverse_transfer: true };
  for (const method of ['pm_card_visa', 'pm_card_pendingRefund', 'pm_card_refundFail']) {
    const { id } = await paid(stripe, {}, method);
    const made = await stripe.refunds.create({
      payment_intent: id,
      amount: 300,
      reason: 'requested_by_customer',
      ...share,
      metadata: { a: 'b' },
    });
    await stripe.refunds.retrieve(made.id);
    if (method === 'pm_card_pendingRefund') payments.controls.settleRefund(made.id);
    if (method === 'pm_card_refundFail') payments.controls.failRefund(made.id);
    payments.controls.dashboardRefund(id, 100);
  }
  const charge = (await paid(stripe)).latest_charge as string;
  await stripe.charges.retrieve(charge, { expand: ['transfer', 'application_fee', 'payment_intent', 'balance_transaction'] });
  payments.controls.topUp(10_000);
  const sent = await stripe.transfers.create({
    amount: 10,
    currency: 'gbp',
    destination: 'acct_shop',
    transfer_group: 'x',
    description: 'x',
  });
  await stripe.transfers.createReversal(sent.id, { amount: 5, metadata: { a: 'b' } });
  await stripe.transfers.retrieve(sent.id);
  await stripe.transfers.listReversals(sent.id);
}

async function dispute(stripe: Stripe, payments: RunningPayments): Promise<void> {
  const open = async (inquiry: boolean) => payments.controls.openDispute((await paid(stripe)).id, { inquiry });
  const lost = await open(false);
  await stripe.disputes.update(lost.id, { evidence: { product_description: 'x' }, submit: true, metadata: { a: 'b' } });
  payments.controls.closeDispute(lost.id, 'lost');
  const asked = await open(true);
  payments.controls.escalateInquiry(asked.id);
  payments.controls.closeDispute(asked.id, 'won', { feeReturned: true });
  payments.controls.closeDispute((await open(true)).id, 'warning_closed');
  const prevented = await open(true);
  payments.controls.setDispute(prevented.id, 'prevented', 'withdrawn');
  payments.controls.setDispute(lost.id, 'appeal_needs_response');
  await stripe.disputes.retrieve(lost.id, { expand: ['charge', 'payment_intent'] });
}

async function openAccounts(stripe: Stripe, payments: RunningPayments): Promise<void> {
  const { id } = await stripe.v2.core.accounts.create({
    contact_email: 'a@example.com',
    display_name: 'Corner',
    dashboard: 'express',
    identity: { country: 'gb' },
    metadata: { store_id: '1' },
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
    configuration: {
      merchant: { capabilities: { card_payments: { requested: true } } },
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
  });
  const pages = { return_url: 'https://example.com/a', refresh_url: 'https://example.com/b' };
  await stripe.v2.core.accountLinks.create({ account: id, use_case: { type: 'account_onboarding', account_onboarding: pages } });
  await refusal(
    stripe.v2.core.accountLinks.create({ account: 'acct_none', use_case: { type: 'account_onboarding', account_onboarding: pages } }),
  );
  await stripe.v2.core.accounts.list({ limit: 10 });
  await refusal(stripe.accounts.retrieve('acct_none'));
  await stripe.accounts.retrieve(id);
  payments.controls.restrictAccount('acct_shop');
  payments.controls.restoreAccount('acct_shop');
  payments.controls.payOut('acct_shop', 'gbp');
  await paid(stripe);
  payments.controls.settlePayout(payments.controls.payOut('acct_shop', 'gbp', 2).id, 'failed');
  payments.controls.payOut(null, 'gbp');
}

async function list(stripe: Stripe): Promise<void> {
  const ofShop = { stripeAccount: 'acct_shop' };
  await stripe.paymentIntents.list({ customer: 'cus_1', limit: 100 });
  await stripe.paymentIntents.list({ created: { gte: 1 } });
  for (const lister of [stripe.refunds, stripe.customers, stripe.charges, stripe.transfers, stripe.disputes, stripe.accounts]) {
    await lister.list({ limit: 100, created: { gte: 1 } });
  }
  for (const bad of ['https://shop.example.com', 'localhost', '192.0.2.1']) {
    expect(await refusal(stripe.paymentMethodDomains.create({ domain_name: bad }))).toMatchObject({
      statusCode: 400,
      param: 'domain_name',
    });
  }
  const domain = await stripe.paymentMethodDomains.create({ domain_name: 'shop.example.com' });
  expect((await stripe.paymentMethodDomains.create({ domain_name: 'shop.example.com' })).id).toBe(domain.id);
  await stripe.paymentMethodDomains.validate(domain.id);
  await stripe.paymentMethodDomains.list({ domain_name: 'shop.example.com' });
  const [fee] = (await stripe.applicationFees.list({ limit: 100 })).data;
  await stripe.applicationFees.retrieve(fee?.id ?? '');
  const expand = ['data.source', 'data.source.source_transfer'];
  const [movement] = (await stripe.balanceTransactions.list({ limit: 100, created: { gte: 1 } })).data;
  await stripe.balanceTransactions.list({ limit: 100, type: 'charge', expand: ['data.source'] });
  await stripe.balanceTransactions.retrieve(movement?.id ?? '');
  await stripe.balance.retrieve();
  const [payout] = (await stripe.payouts.list({ limit: 10 }, ofShop)).data;
  await stripe.balanceTransactions.list({ limit: 100, payout: payout?.id ?? '', expand }, ofShop);
  await stripe.payouts.list({ limit: 10 });
  const [event] = (await stripe.events.list({ limit: 100, types: ['refund.created', 'payment_intent.succeeded'] })).data;
  await stripe.events.list({ limit: 100 });
  await stripe.events.list({ limit: 100 }, ofShop);
  await stripe.events.retrieve(event?.id ?? '');
}
