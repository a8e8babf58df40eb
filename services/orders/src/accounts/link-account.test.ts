// covers: linkAccount, readAccount

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { codeOf, worker } from '../testing/callers.ts';
import { eventOf, publish, untilProcessed } from '../testing/provider-events.ts';
import { eventsOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { readAccounts } from './sagas.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const pages = { return_url: 'http://console.localhost/back', refresh_url: 'http://console.localhost/again' };
const newStore = () => running.openStore({ connected_account_id: null });
const link = (store: OpenStore, body: object = {}, by: 'merchant' | 'staff' = 'merchant') =>
  worker(running, store, by).call('POST', `/api/v1/orders/stores/${store.id}/account-link`, { ...pages, email: 'bo@example.com', ...body });
const accountOf = async (store: OpenStore) =>
  (await worker(running, store, 'merchant').call('GET', `/api/v1/orders/stores/${store.id}/account`)).body.account;
const atProvider = (store: OpenStore) => running.payments.books().accounts.filter(({ metadata }) => metadata.store_id === store.id);
const opened = (store: OpenStore) =>
  running.service.database.any(sql.type(z.object({ account_id: z.string(), mode: z.string() }))`
    select account_id, mode from connected_account where store_id = ${store.id}`);

async function fillIn(url: string, given: Record<string, string>): Promise<string | null> {
  const visit = await fetch(url, { redirect: 'manual' });
  const page = new URL(visit.headers.get('location') ?? '', url);
  const sent = await fetch(page, { method: 'POST', body: new URLSearchParams(given), redirect: 'manual' });
  return sent.headers.get('location');
}
const everything = { 'business_profile.name': 'Corner Coffee', 'individual.last_name': 'Baker', external_account: 'GB00TEST' };
const connected = async (store: OpenStore) =>
  (await eventsOf(running, atProvider(store)[0]?.id ?? '')).filter(({ type }) => type === 'store.account_connected');

describe('the payment account of a store', () => {
  test('is none, until its owner opens one: then the provider’s page says what is missing, and an event says when payments can go to it', async () => {
    const store = await newStore();
    expect(await accountOf(store)).toBeNull();
    const { status, body } = await link(store);
    expect(status).toBe(200);
    const [account] = atProvider(store);
    expect(account).toMatchObject({ email: 'bo@example.com', country: 'GB', business_profile: { name: 'Corner Coffee' } });
    expect(await accountOf(store)).toMatchObject({
      mode: 'test',
      last4: account?.id.slice(-4),
      connected: false,
      accepts_orders: false,
      details_submitted: false,
      requirements: { currently_due: Object.keys(everything), deadline: null },
    });
    expect(await fillIn(body.url, everything)).toBe(pages.return_url);
    expect(await accountOf(store)).toMatchObject({
      accepts_orders: true,
      details_submitted: true,
      payouts_enabled: true,
      requirements: { currently_due: [], past_due: [], deadline: null },
      reasons: [],
    });
    expect((await connected(store)).map(({ data }) => data)).toEqual([
      expect.objectContaining({ store_id: store.id, account_id: account?.id, replaces: null, mode: 'test' }),
    ]);
  });

  test('that it is connected is published once, whether the webhook, the job or a reader sees it first', async () => {
    const store = await newStore();
    await fillIn((await link(store)).body.url, everything);
    const [account] = atProvider(store);
    await publish(running, eventOf('account.updated', account?.id ?? ''));
    await Promise.all([readAccounts(running.service.context), accountOf(store), accountOf(store), untilProcessed(running)]);
    expect(await connected(store)).toHaveLength(1);
  });

  test('an event of Accounts v2, which only names the account, is enough', async () => {
    const store = await newStore();
    await fillIn((await link(store)).body.url, everything);
    const event = {
      id: `evt_test_${randomUUID()}`,
      object: 'v2.core.event',
      type: 'v2.core.account[requirements].updated',
      livemode: false,
      related_object: { id: atProvider(store)[0]?.id ?? '', type: 'v2.core.account', url: '/v2/core/accounts' },
    };
    await publish(running, event as never);
    await untilProcessed(running);
    expect(await connected(store)).toHaveLength(1);
  });

  test('a lost account.updated is made up for by the list of accounts', async () => {
    const store = await newStore();
    await fillIn((await link(store)).body.url, everything);
    await readAccounts(running.service.context);
    expect(await connected(store)).toHaveLength(1);
  });

  test('what is asked for later has its deadline, and a new address leads to the page where it is given', async () => {
    const store = await newStore();
    await fillIn((await link(store)).body.url, { ...everything, ask_later: 'on' });
    const { requirements, accepts_orders } = await accountOf(store);
    expect([accepts_orders, requirements.currently_due]).toEqual([true, ['individual.verification.document']]);
    expect(Date.parse(requirements.deadline)).toBeGreaterThan(running.clock.now().getTime());
    await fillIn((await link(store)).body.url, { 'individual.verification.document': '123' });
    expect((await accountOf(store)).requirements).toEqual({ currently_due: [], past_due: [], deadline: null });
    expect(atProvider(store)).toHaveLength(1);
  });

  test('two presses at once and a repeat open one account, with an address each', async () => {
    const store = await newStore();
    const responses = await Promise.all([link(store), link(store)]);
    responses.push(await link(store));
    expect(responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 502)).toEqual([]);
    expect(new Set(responses.flatMap(({ body }) => body.url ?? [])).size).toBe(responses.filter(({ status }) => status === 200).length);
    expect(atProvider(store)).toHaveLength(1);
    expect(await opened(store)).toHaveLength(1);
  });

  test.each(['lost_after', 'error_after'] as const)('a response that is %s does not open a second account', async (how) => {
    const store = await newStore();
    running.payments.controls.failNext({ how, method: 'POST', path: '/v2/core/accounts', times: 1 });
    await link(store);
    expect((await link(store)).status).toBe(200);
    expect(atProvider(store)).toHaveLength(1);
    expect(await opened(store)).toEqual([{ account_id: atProvider(store)[0]?.id, mode: 'test' }]);
  });

  test('while the provider does not respond the stored state is shown, and no address is made', async () => {
    const store = await newStore();
    await fillIn((await link(store)).body.url, everything);
    const before = await accountOf(store);
    running.payments.controls.failNext({ how: 'error_before', path: '/v1/accounts', times: 1 });
    running.payments.controls.failNext({ how: 'error_before', path: '/v2/core/account_links', times: 1 });
    expect(await accountOf(store)).toEqual(before);
    expect(codeOf(await link(store))).toEqual([502, 'PAYMENT_PROVIDER_ERROR']);
  });

  test('an account that an operator set is the store’s own: its requirements are shown, and no other is opened', async () => {
    const store = await running.openStore();
    running.payments.controls.registerAccount(store.account, { requirements: { currently_due: ['external_account'] } });
    expect(await accountOf(store)).toMatchObject({ connected: true, requirements: { currently_due: ['external_account'] } });
    await fillIn((await link(store)).body.url, { external_account: 'GB00TEST' });
    expect(await accountOf(store)).toMatchObject({ connected: true, requirements: { currently_due: [] } });
    expect(atProvider(store)).toEqual([]);
  });

  test('in the place of an account that the provider does not know one is opened, and the event says which it replaces', async () => {
    const store = await running.openStore({ connected_account_id: 'acct_of_nothing' });
    await fillIn((await link(store)).body.url, everything);
    await readAccounts(running.service.context);
    expect((await connected(store)).map(({ data }) => data)).toMatchObject([{ replaces: 'acct_of_nothing' }]);
  });

  test('the country is that of the store’s time zone, unless the owner names another', async () => {
    const paris = await running.openStore({ connected_account_id: null, time_zone: 'Europe/Paris' });
    await link(paris);
    const named = await newStore();
    await link(named, { country: 'IE' });
    expect([paris, named].map((store) => atProvider(store)[0]?.country)).toEqual(['FR', 'IE']);
  });
});

describe('bad input', () => {
  test.each([
    ['no address for the provider to write to', { email: undefined }, 'body.email'],
    ['an address that is none', { email: 'bo' }, 'body.email'],
    ['a page that is no web page', { return_url: 'javascript:alert(1)' }, 'body.return_url'],
    ['a country in small letters', { country: 'gb' }, 'body.country'],
  ])('%s is refused by name', async (_, body, field) => {
    const response = await link(await newStore(), body);
    expect(codeOf(response)).toEqual([400, 'VALIDATION_FAILED']);
    expect(response.body.error.message).toContain(field);
  });

  test('a time zone of a country where the provider opens no accounts needs the country', async () => {
    const response = await link(await running.openStore({ connected_account_id: null, time_zone: 'Asia/Kathmandu' }));
    expect(response.body.error.message).toContain('body.country');
  });
});

describe('who may', () => {
  test('staff neither open nor read it', async () => {
    const store = await newStore();
    expect(codeOf(await link(store, {}, 'staff'))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const read = await worker(running, store).call('GET', `/api/v1/orders/stores/${store.id}/account`);
    expect(codeOf(read)).toEqual([403, 'INSUFFICIENT_ROLE']);
  });

  test('an owner of another store does not, and a store that is not known has none', async () => {
    const [store, other] = [await newStore(), await newStore()];
    const read = await worker(running, other, 'merchant').call('GET', `/api/v1/orders/stores/${store.id}/account`);
    expect(codeOf(read)).toEqual([403, 'STORE_FORBIDDEN']);
    const unknown = { ...store, id: randomUUID() };
    expect(codeOf(await link(unknown))).toEqual([404, 'STORE_NOT_FOUND']);
    expect(codeOf(await worker(running, unknown, 'merchant').call('GET', `/api/v1/orders/stores/${unknown.id}/account`))).toEqual([
      404,
      'STORE_NOT_FOUND',
    ]);
  });
});
