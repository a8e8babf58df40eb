// covers: createOrder, confirmOrder, advanceFulfilment
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pay } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { watchedOrder } from '../testing/watched-order.ts';

let running: Running;
let store: OpenStore;
beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => await running[Symbol.asyncDispose]());

test('creating sends three statements; a customer that the provider knows is not created again', async () => {
  const ada = watchedOrder(running, store);
  const before = ['read-checkout-data', 'place-order'];
  const payment = ['provider createIntent', 'provider ephemeralKey', 'record-intent'];
  expect(await ada.create()).toEqual([...before, 'provider createCustomer', ...payment]);
  expect(await ada.create()).toEqual([...before, ...payment]);
});

test('a fulfilment move locks the order and sends one more statement; the same status again only locks', async () => {
  const ada = watchedOrder(running, store);
  await ada.create({ order_type: 'collect' });
  await pay(running, ada.order.intent);
  await ada.confirm();
  for (const status of ['preparing', 'ready', 'collected']) {
    expect(await ada.advance(status)).toEqual(['begin', 'lock-family', 'move-orders', 'commit']);
    expect(await ada.advance(status)).toEqual(['begin', 'lock-family', 'commit']);
  }
});
