import { randomUUID } from 'node:crypto';
import { CornerError, createClient } from '@corner/client';
import { demoDirectory, people } from '@corner/sandbox/demo';
import { simulatorKey } from '@corner/sandbox/system';
import { until } from '@corner/testkit';
import { beforeAll, expect, test } from '@jest/globals';
import { pay } from '../testing/order-scenario.ts';
import { publishDirectory } from '../testing/own-store.ts';
import { sharedEnvironment, type TestEnvironment } from '../testing/test-environment.ts';

let environment: TestEnvironment;
const store = { id: randomUUID(), code: randomUUID().slice(0, 8) };
const [ana, eve] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  environment = await sharedEnvironment();
  const demo = demoDirectory(new Date()) as { readonly stores: readonly Record<string, unknown>[] };
  const content = {
    stores: [{ ...demo.stores[0], ...store }],
    menus: [
      {
        store_id: store.id,
        items: [
          { id: 'latte', name: 'Latte', price_pence: 360 },
          { id: 'bun', name: 'Bun', price_pence: 250 },
        ],
      },
    ],
    programmes: [{ store_id: store.id, goal: 5, reward_title: 'A coffee', min_spend_pence: 500 }],
    customers: [{ id: ana, name: 'Ana', email: `${ana}@example.com` }],
  };
  await publishDirectory(environment.system, content);
});

const clientOf = (claims: Parameters<TestEnvironment['system']['tokens']['token']>[0]) =>
  createClient({ baseUrl: environment.system.gatewayUrl, token: () => environment.system.tokens.token(claims) });
const codeOf = (error: unknown) => (error instanceof CornerError ? error.code : error);

test('a customer reads why an order earned a stamp, lost it, or earned none, and so does the store', async () => {
  const customer = clientOf({ typ: 'customer', sub: ana });
  const staff = clientOf({ typ: 'merchant', sub: people.bo.id, name: people.bo.name, stores: [store.id] });
  await until(
    async () =>
      (await customer.GET('/api/v1/orders/stores/{store_id}/menu', { params: { path: { store_id: store.id } } }).catch(() => null))?.data,
    { describe: 'the menu of the store' },
  );
  const place = async (item: string, quantity: number) => {
    const items = [{ menu_item_id: item, quantity }];
    const ids = { store_id: store.id, store_code: store.code, idempotency_key: randomUUID() };
    const { data } = await customer.POST('/api/v1/orders', { body: { ...ids, order_type: 'collect', items } });
    return { path: { orderId: data.order_id }, intent: data.payment_intent_id ?? '' };
  };
  const confirm = (payment_intent_id: string) =>
    customer.POST('/api/v1/orders/confirm', { body: { store_id: store.id, payment_intent_id } });
  const mine = async (path: { orderId: string }, language: 'en' | 'fr' = 'en') =>
    (await customer.GET('/api/v1/orders/{orderId}/mine/story', { params: { path, query: { language } } })).data;
  const theirs = async (path: { orderId: string }) =>
    (await staff.GET('/api/v1/orders/{orderId}/story', { params: { path, query: { store_id: store.id } } })).data;
  const refund = (path: { orderId: string }, more: object) =>
    staff.POST('/api/v1/orders/{orderId}/refund', {
      params: { path },
      body: { store_id: store.id, reason: 'It was cold.', refund_attempt_id: randomUUID(), ...more },
    });

  const order = await place('latte', 2);
  expect((await mine(order.path)).stamps).toMatchObject({ reason: 'not_paid_yet' });
  const declined = {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorKey}` },
    body: new URLSearchParams({ payment_method: 'pm_card_chargeDeclined' }),
  };
  await fetch(`${environment.system.paymentsUrl}/v1/payment_intents/${order.intent}/confirm`, declined);
  expect(await confirm(order.intent).catch(codeOf)).toBe('PAYMENT_NOT_SUCCEEDED');
  await pay(environment.system, environment.history, order.intent);
  await confirm(order.intent);
  const earned = await mine(order.path);
  expect(earned.stamps).toMatchObject({ counting: 1, reason: null, text: 'The order earned 1 stamp.' });
  expect(earned.entries.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['placed', 'payment_declined', 'paid', 'accepted', 'stamps_earned']),
  );

  await refund(order.path, { amount_pence: 100 });
  await refund(order.path, {});
  const lost = await until(async () => ((story) => story.stamps?.taken_back === 1 && story)(await mine(order.path)), {
    describe: 'the stamp to be taken back',
  });
  expect(lost.stamps).toMatchObject({ counting: 0, reason: 'refunded', text: 'No stamp: the order was refunded in full.' });
  const sent = await until(
    async () => ((story) => story.entries.some(({ kind }) => kind === 'receipt_sent') && story)(await theirs(order.path)),
    { describe: 'the receipt to be sent' },
  );
  const kinds = sent.entries.map(({ kind }) => kind).filter((kind) => !kind.startsWith('message_') && kind !== 'receipt_sent');
  expect(kinds).toEqual([
    'placed',
    'payment_declined',
    'paid',
    'accepted',
    'stamps_earned',
    'partly_refunded',
    'refunded',
    'stamps_taken_back',
  ]);
  expect(sent.entries.find(({ kind }) => kind === 'refunded')).toMatchObject({
    by: 'store',
    by_name: people.bo.name,
    note: 'It was cold.',
  });
  expect(JSON.stringify(sent)).not.toContain('@example.com');
  expect(JSON.stringify(await mine(order.path))).not.toMatch(new RegExp(`${people.bo.name}|It was cold|@example`));

  const small = await place('bun', 1);
  await pay(environment.system, environment.history, small.intent);
  await confirm(small.intent);
  const why = { counting: 0, reason: 'below_min_spend', text: 'No stamp: an order must cost at least £5.00 without its tip.' };
  expect((await mine(small.path)).stamps).toMatchObject(why);
  expect((await theirs(small.path)).stamps).toMatchObject(why);
  expect((await mine(small.path, 'fr')).stamps?.text).toMatch(/^Pas de tampon : une commande doit coûter au moins 5,00/);

  const other = clientOf({ typ: 'merchant', sub: people.bo.id, stores: [randomUUID()] });
  const asOther = other.GET('/api/v1/orders/{orderId}/story', { params: { path: small.path, query: { store_id: store.id } } });
  expect(await asOther.catch(codeOf)).toBe('STORE_FORBIDDEN');
  const asEve = clientOf({ typ: 'customer', sub: eve }).GET('/api/v1/orders/{orderId}/mine/story', { params: { path: small.path } });
  expect(await asEve.catch(codeOf)).toBe('ORDER_NOT_FOUND');
});
