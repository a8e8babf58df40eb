import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { type RunningPayments, startPayments } from './start-payments.ts';
import { refusal, stripeTo } from './testing/stripe-to.ts';

let payments: RunningPayments;
let stripe: Stripe;
beforeEach(async () => {
  payments = await startPayments({ settleAfterMs: null });
  stripe = stripeTo(payments);
});
afterEach(() => payments.stop());

const shop = {
  contact_email: 'bo@example.com',
  display_name: 'Corner Coffee',
  dashboard: 'express',
  identity: { country: 'gb' },
  defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
  configuration: {
    merchant: { capabilities: { card_payments: { requested: true } } },
    recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
  },
  metadata: { store_id: 'store-1' },
} satisfies Stripe.V2.Core.AccountCreateParams;
const pages = { return_url: 'http://shop.localhost/back', refresh_url: 'http://shop.localhost/again' };
const linkTo = async (account: string): Promise<string> =>
  (
    await stripe.v2.core.accountLinks.create({
      account,
      use_case: { type: 'account_onboarding', account_onboarding: pages },
    })
  ).url;

const open = async (url: string, filled?: Record<string, string>) => {
  const response = await fetch(url, {
    redirect: 'manual',
    ...(filled === undefined ? {} : { method: 'POST', body: new URLSearchParams(filled) }),
  });
  const location = response.headers.get('location');
  return { status: response.status, text: await response.text(), leadsTo: location && new URL(location, url).href };
};
const everything = { 'business_profile.name': 'Corner Coffee Ltd', 'individual.last_name': 'Baker', external_account: 'GB00TEST' };

describe('opening an account', () => {
  test('it may do nothing at first, and both versions of the interface show it', async () => {
    const { id, metadata } = await stripe.v2.core.accounts.create(shop);
    expect(metadata).toEqual({ store_id: 'store-1' });
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      charges_enabled: false,
      payouts_enabled: false,
      details_submitted: false,
      email: 'bo@example.com',
      metadata: { store_id: 'store-1' },
      requirements: { disabled_reason: 'requirements.past_due', currently_due: Object.keys(everything) },
    });
  });

  test('the same key opens one account, and pages of the list show each once', async () => {
    const [first, again] = [1, 2].map(() => stripe.v2.core.accounts.create(shop, { idempotencyKey: 'a' }));
    const { id } = (await first) as { id: string };
    expect((await again)?.id).toBe(id);
    const other = await stripe.v2.core.accounts.create(shop);
    const listed = await stripe.v2.core.accounts.list({ limit: 1 }).autoPagingToArray({ limit: 10 });
    expect(listed.map((account) => account.id)).toEqual([other.id, id]);
  });

  test.each([
    ['without an address', { contact_email: undefined }, 'contact_email'],
    ['without a country', { identity: {} }, 'identity.country'],
    ['without one who bears losses', { defaults: { responsibilities: { fees_collector: 'application' } } }, 'losses_collector'],
    ['with a field of version 1', { type: 'express' }, 'type'],
  ])('is refused %s', async (_, change, field) => {
    const error = await refusal(stripe.v2.core.accounts.create({ ...shop, ...change } as never));
    expect(error).toMatchObject({ statusCode: 400, code: 'invalid_fields', message: expect.stringContaining(field) });
  });
});

describe('the hosted page', () => {
  test('what is filled in opens the account for payments, and the owner goes back', async () => {
    const { id } = await stripe.v2.core.accounts.create(shop);
    const { leadsTo } = await open(await linkTo(id));
    expect((await open(leadsTo ?? '')).text).toContain('Business name');
    expect((await open(leadsTo ?? '', { ...everything, step: 'finish' })).leadsTo).toBe(pages.return_url);
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      charges_enabled: true,
      payouts_enabled: true,
      details_submitted: true,
      capabilities: { transfers: 'active' },
      requirements: { currently_due: [], past_due: [], disabled_reason: null },
    });
    expect(payments.books().events.map(({ type, about }) => [type, about])).toEqual([
      ['account.updated', id],
      ['capability.updated', 'card_payments'],
      ['capability.updated', 'transfers'],
    ]);
  });

  test('an owner who leaves comes back to what is still missing', async () => {
    const { id } = await stripe.v2.core.accounts.create(shop);
    const { leadsTo } = await open(await linkTo(id));
    await open(leadsTo ?? '', { ...everything, external_account: '', step: 'later' });
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      charges_enabled: false,
      details_submitted: false,
      requirements: { currently_due: ['external_account'], disabled_reason: 'requirements.past_due' },
    });
  });

  test('more can be asked for later, with a deadline and without a restriction, and is given on the same page', async () => {
    const { id } = await stripe.v2.core.accounts.create(shop);
    const first = await open(await linkTo(id));
    await open(first.leadsTo ?? '', { ...everything, ask_later: 'on', step: 'finish' });
    const asked = await stripe.accounts.retrieve(id);
    expect(asked).toMatchObject({ charges_enabled: true, requirements: { currently_due: ['individual.verification.document'] } });
    expect(asked.requirements?.current_deadline).toBeGreaterThan(asked.created ?? 0);
    const second = await open(await linkTo(id));
    await open(second.leadsTo ?? '', { 'individual.verification.document': '123', step: 'finish' });
    expect(await stripe.accounts.retrieve(id)).toMatchObject({ requirements: { currently_due: [], current_deadline: null } });
  });

  test('an address works once, and for ten minutes: then it leads to the platform’s page for a new one', async () => {
    const { id } = await stripe.v2.core.accounts.create(shop);
    const used = await linkTo(id);
    await open(used);
    expect((await open(used)).leadsTo).toBe(pages.refresh_url);
    const old = await linkTo(id);
    payments.controls.advance(600_000);
    expect((await open(old)).leadsTo).toBe(pages.refresh_url);
    expect((await open(`${payments.url}/setup/alu_test_guess`)).status).toBe(404);
  });

  test('what was typed cannot become part of the page', async () => {
    const { id } = await stripe.v2.core.accounts.create({ ...shop, display_name: '"><script>alert(1)</script>' });
    const { leadsTo } = await open(await linkTo(id));
    expect((await open(leadsTo ?? '')).text).not.toContain('<script>');
  });

  test.each([
    ['an account that is not connected', 'acct_none', pages, 403],
    ['a page that is no web page', null, { ...pages, return_url: 'javascript:alert(1)' }, 400],
    ['no page to refresh', null, { return_url: pages.return_url }, 400],
  ])('an address is refused for %s', async (_, account, wanted, statusCode) => {
    const { id } = await stripe.v2.core.accounts.create(shop);
    const use_case = { type: 'account_onboarding', account_onboarding: wanted };
    const error = await refusal(stripe.v2.core.accountLinks.create({ account: account ?? id, use_case } as never));
    expect(error).toMatchObject({ statusCode });
  });
});
