import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { receiveWebhooks } from './testing/receive-webhooks.ts';
import { order, refusal, stripeTo } from './testing/stripe-to.ts';

let payments: RunningPayments;
let stripe: Stripe;
beforeEach(async () => {
  payments = await startPayments({ accounts: ['acct_shop'], settleAfterMs: null });
  stripe = stripeTo(payments);
});
afterEach(() => payments.stop());

const enabled = {
  charges_enabled: true,
  payouts_enabled: true,
  capabilities: { card_payments: 'active', transfers: 'active' },
  requirements: { currently_due: [], past_due: [], disabled_reason: null, current_deadline: null },
};

test('an account shows what it may do and what is due; a restriction and its end are events of that account', async () => {
  await using endpoint = await receiveWebhooks();
  payments.controls.webhook({ url: endpoint.url, secrets: ['whsec_1'] });
  expect(await stripe.accounts.retrieve('acct_shop')).toMatchObject(enabled);

  payments.controls.restrictAccount('acct_shop');
  const restricted = {
    charges_enabled: false,
    payouts_enabled: false,
    capabilities: { card_payments: 'inactive', transfers: 'inactive' },
    requirements: { disabled_reason: 'requirements.past_due', past_due: ['individual.verification.document'] },
  };
  expect(await stripe.accounts.retrieve('acct_shop')).toMatchObject(restricted);
  payments.controls.restoreAccount('acct_shop');
  expect(await stripe.accounts.retrieve('acct_shop')).toMatchObject(enabled);

  await payments.controls.settled();
  const events = endpoint.received.map(({ body }) => JSON.parse(body) as Stripe.Event);
  const ofType = (type: string) => events.filter((event) => event.type === type).sort((a, b) => a.created - b.created);
  expect(ofType('account.updated')).toMatchObject([
    { account: 'acct_shop', data: { object: restricted, previous_attributes: { charges_enabled: true } } },
    { account: 'acct_shop', data: { object: enabled } },
  ]);
  const transfers = { id: 'transfers', object: 'capability', account: 'acct_shop' };
  expect(ofType('capability.updated').filter(({ data }) => (data.object as Stripe.Capability).id === 'transfers')).toMatchObject([
    { account: 'acct_shop', data: { object: { ...transfers, status: 'inactive' }, previous_attributes: { status: 'active' } } },
    { account: 'acct_shop', data: { object: { ...transfers, status: 'active' } } },
  ]);
});

test('what changes is also an event of version 2, which names the account alone and is not in the list of events', async () => {
  await using endpoint = await receiveWebhooks();
  payments.controls.webhook({ url: endpoint.url, secrets: ['whsec_1'], events: ['v2.core.account*'] });
  payments.controls.registerAccount('acct_shop', { transfers: false, requirements: { past_due: ['external_account'] } });
  await payments.controls.settled();
  expect(endpoint.types().sort()).toEqual([
    'v2.core.account[configuration.recipient].capability_status_updated',
    'v2.core.account[requirements].updated',
  ]);
  const [first] = endpoint.received;
  const event: unknown = JSON.parse(first?.body ?? '');
  expect(event).toEqual({
    id: first?.id,
    object: 'v2.core.event',
    created: expect.any(String),
    livemode: false,
    type: first?.type,
    related_object: { id: 'acct_shop', type: 'v2.core.account', url: '/v2/core/accounts/acct_shop' },
  });
  expect((await stripe.events.list({}, { stripeAccount: 'acct_shop' })).data.map(({ type }) => type).sort()).toEqual([
    'account.updated',
    'capability.updated',
  ]);
  expect(await payments.controls.resend(first?.id ?? '')).toBe(true);
});

test('something can become due without a restriction, with a deadline', async () => {
  const current_deadline = 1_900_000_000;
  payments.controls.registerAccount('acct_shop', { requirements: { current_deadline, currently_due: ['external_account'] } });
  expect(await stripe.accounts.retrieve('acct_shop')).toMatchObject({
    charges_enabled: true,
    requirements: { current_deadline, currently_due: ['external_account'], disabled_reason: null },
  });
});

test('an account that is not connected is refused like one that does not exist', async () => {
  expect(await refusal(stripe.accounts.retrieve('acct_none'))).toMatchObject({ statusCode: 403, code: 'account_invalid' });
  expect(() => payments.controls.restrictAccount('acct_none')).toThrow('does not have access');
});

test.each([false, 'pending'] as const)(
  'a charge for an account whose transfers are %s is refused, also when it was allowed before',
  async (transfers) => {
    const { id } = await stripe.paymentIntents.create(order);
    payments.controls.registerAccount('acct_shop', { transfers });
    const refused = { statusCode: 400, code: 'insufficient_capabilities_for_transfer', param: 'transfer_data[destination]' };
    expect(await refusal(stripe.paymentIntents.create(order))).toMatchObject(refused);
    expect(await refusal(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }))).toMatchObject(refused);
    payments.controls.restoreAccount('acct_shop');
    expect(await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).toMatchObject({ status: 'succeeded' });
  },
);

test('a charge on behalf of an account that takes no card payments is refused', async () => {
  payments.controls.registerAccount('acct_shop', { charges: false });
  expect(await refusal(stripe.paymentIntents.create({ ...order, on_behalf_of: 'acct_shop' }))).toMatchObject({ param: 'on_behalf_of' });
  expect(await stripe.paymentIntents.create(order)).toMatchObject({ status: 'requires_payment_method' });
});
