import { createClient } from '@corner/client';
import { expect, test } from '@jest/globals';
import { fakeNetwork, json, memoryStorage, refusal, type Sent, sharedLock } from '../testing/fake-browser.ts';
import { abandonAttempt, beginAttempt, finishAttempt, type OrderBody, openAttempt, placeAttempt, readAttempt } from './attempts.ts';

const body: OrderBody = {
  store_code: 'S1',
  store_id: 's1',
  items: [{ menu_item_id: 'flat-white', quantity: 1 }],
  expected_total_pence: 340,
};
const other: OrderBody = { ...body, expected_total_pence: 680 };

function shop(fail: (sent: Sent, nth: number) => Response | undefined = () => undefined) {
  const orders = new Map<unknown, string>();
  const cancelled = new Set<string>();
  let nth = 0;
  const network = fakeNetwork((sent) => {
    const failed = fail(sent, ++nth);
    if (failed && failed.status !== 418) return failed;
    if (sent.path.endsWith('/cancel')) {
      cancelled.add(sent.path.split('/')[4] ?? '');
      return json({ order: { status: 'cancelled' } });
    }
    const order_id = orders.get(sent.key) ?? `order-${orders.size + 1}`;
    orders.set(sent.key, order_id);
    return failed ?? json({ order_id, status: cancelled.has(order_id) ? 'cancelled' : 'pending_payment' });
  });
  let now = 0;
  const pass = (ms: number): void => {
    now += ms;
  };
  const env = { storage: memoryStorage(), lock: sharedLock(), now: () => now };
  const client = createClient({ baseUrl: 'https://shop.test', fetch: network.fetch });
  return { env, client, orders, cancelled, sent: network.sent, pass };
}
const lost = () => refusal('UNREADABLE', 418);

test('two presses at once, also in two tabs, are one attempt and one order', async () => {
  const { env, client, orders } = shop();
  const [one, two] = await Promise.all([beginAttempt(body, env), beginAttempt(body, env)]);
  expect(two.attempt.attempt_id).toBe(one.attempt.attempt_id);
  await Promise.all([placeAttempt(client, one.attempt.attempt_id, env), placeAttempt(client, two.attempt.attempt_id, env)]);
  expect(orders.size).toBe(1);
});

test('a lost reply leaves the attempt begun, and the next press repeats the same request with the same key', async () => {
  const { env, client, orders, sent } = shop((_, nth) => (nth === 1 ? lost() : undefined));
  const { attempt } = await beginAttempt(body, env);
  await expect(placeAttempt(client, attempt.attempt_id, env)).rejects.toThrow();
  expect(readAttempt(attempt.attempt_id, env)).toMatchObject({ state: 'begun', order_id: null });
  const again = await beginAttempt(body, env);
  expect(await placeAttempt(client, again.attempt.attempt_id, env)).toMatchObject({ order_id: 'order-1' });
  expect(sent[1]).toEqual(sent[0]);
  expect([orders.size, sent[0]?.body.idempotency_key]).toEqual([1, attempt.idempotency_key]);
});

test('a reload after the order was placed, and one after it was paid, repeat the same order', async () => {
  const { env, client, orders } = shop();
  const { attempt } = await beginAttempt(body, env);
  await placeAttempt(client, attempt.attempt_id, env);
  await placeAttempt(client, attempt.attempt_id, env);
  finishAttempt(attempt.attempt_id, env);
  await placeAttempt(client, attempt.attempt_id, env);
  expect(readAttempt(attempt.attempt_id, env)).toMatchObject({ state: 'finished', order_id: 'order-1' });
  expect(orders.size).toBe(1);
});

test('after a refusal the next order is a new one, and the refused request is not sent again', async () => {
  const { env, client, sent } = shop(() => refusal('PRICE_CHANGED', 409, { total_pence: 360 }));
  const { attempt } = await beginAttempt(body, env);
  await expect(placeAttempt(client, attempt.attempt_id, env)).rejects.toMatchObject({ code: 'PRICE_CHANGED', totalPence: 360 });
  await expect(placeAttempt(client, attempt.attempt_id, env)).rejects.toThrow('refused');
  expect(sent).toHaveLength(1);
  const next = await beginAttempt(body, env);
  expect(next.attempt.idempotency_key).not.toBe(attempt.idempotency_key);
});

test.each([
  ['an expired token', refusal('UNAUTHENTICATED', 401)],
  ['a quota', refusal('RATE_LIMITED', 429, {})],
  ['the rights of a moment', refusal('STORE_FORBIDDEN', 403)],
  ['a request that came too slowly', refusal('REQUEST_TIMEOUT', 408)],
  ['a page of a proxy', new Response('<html>', { status: 404 })],
])('%s after a lost reply does not end the attempt: the next press finds the order that was made', async (_, second) => {
  const { env, client, orders } = shop((_, nth) => (nth === 1 ? lost() : nth <= 20 && nth % 2 === 0 ? second.clone() : undefined));
  const { attempt } = await beginAttempt(body, env);
  await expect(placeAttempt(client, attempt.attempt_id, env)).rejects.toThrow();
  await placeAttempt(client, attempt.attempt_id, env).catch(() => {});
  const again = await beginAttempt(body, env);
  expect(again.attempt.idempotency_key).toBe(attempt.idempotency_key);
  expect(await placeAttempt(client, again.attempt.attempt_id, env)).toMatchObject({ order_id: 'order-1' });
  expect(orders.size).toBe(1);
});

test('another basket does not order while an order is open, and does once that is cancelled', async () => {
  const { env, client, cancelled } = shop();
  const { attempt } = await beginAttempt(body, env);
  await placeAttempt(client, attempt.attempt_id, env);
  expect(await beginAttempt(other, env)).toEqual({ attempt: readAttempt(attempt.attempt_id, env), differs: true });
  expect(await abandonAttempt(client, attempt.attempt_id, env)).toBe(true);
  expect([...cancelled]).toEqual(['order-1']);
  expect(await beginAttempt(other, env)).toMatchObject({ differs: false, attempt: { state: 'begun', body: other } });
});

test('with a promo code the order is the same whatever total the basket shows', async () => {
  const { env } = shop();
  const { attempt } = await beginAttempt({ ...body, promo_code: 'HELLO', expected_total_pence: 306 }, env);
  expect(await beginAttempt({ ...body, promo_code: 'HELLO' }, env)).toEqual({ attempt, differs: false });
  expect((await beginAttempt({ ...body, promo_code: 'OTHER' }, env)).differs).toBe(true);
});

test('abandoning an order of which no reply came finds out whether it exists, and cancels it', async () => {
  const { env, client, cancelled, orders } = shop((_, nth) => (nth === 1 ? lost() : undefined));
  const { attempt } = await beginAttempt(body, env);
  await expect(placeAttempt(client, attempt.attempt_id, env)).rejects.toThrow();
  expect(await abandonAttempt(client, attempt.attempt_id, env)).toBe(true);
  expect([orders.size, [...cancelled]]).toEqual([1, ['order-1']]);
});

test('an order that was paid meanwhile is not abandoned', async () => {
  const { env, client } = shop((sent) => (sent.path.endsWith('/cancel') ? refusal('TOO_LATE_TO_CANCEL', 409) : undefined));
  const { attempt } = await beginAttempt(body, env);
  expect(await abandonAttempt(client, attempt.attempt_id, env)).toBe(false);
});

test('an attempt of an hour ago no longer stands in the way, and one of another store never does', async () => {
  const { env, pass } = shop();
  await beginAttempt(body, env);
  expect(openAttempt('s2', env)).toBeUndefined();
  expect(openAttempt('s1', env)).toBeDefined();
  pass(61 * 60_000);
  expect(openAttempt('s1', env)).toBeUndefined();
});
