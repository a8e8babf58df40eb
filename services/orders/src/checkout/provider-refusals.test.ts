// covers: createOrder
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { codeOf, customer } from '../testing/callers.ts';
import { takenOf } from '../testing/rows.ts';
import { menu, type Running, startRunning } from '../testing/running.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterEach(() => running.payments.controls.clearFaults());
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const cake = { items: [{ menu_item_id: 'last-cake', quantity: 1 }] };

test.each([
  ['may not be charged in its own name', { charges: false }],
  ['may not receive transfers', { transfers: false }],
])('a payment that the provider declines, for the account %s, is 409, and holds nothing', async (_why, change) => {
  const store = await running.openStore({ on_behalf_of: true }, menu);
  running.payments.controls.registerAccount(store.account, change);
  expect(codeOf(await customer(running).create(store, cake))).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS']);
  expect(await takenOf(running, store.id)).toBe(0);
});

test.each(['/v1/customers', '/v1/payment_intents', '/v1/ephemeral_keys'])(
  'when the provider has too many requests, at %s, an order is 503 with a time to repeat after, and the repeat is payable',
  async (path) => {
    const store = await running.openStore({}, menu);
    running.payments.controls.failNext({ how: 'rate_limited', path, method: 'POST' });
    const ada = customer(running);
    const request = { ...cake, idempotency_key: crypto.randomUUID() };
    const refused = await ada.create(store, request);
    expect([...codeOf(refused), refused.headers.get('retry-after')]).toEqual([503, 'UPSTREAM_UNAVAILABLE', '2']);
    expect(await takenOf(running, store.id)).toBe(0);
    expect((await ada.create(store, request)).body.requires_payment).toBe(true);
  },
);
