// covers: createOrder

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { descriptorOf } from '../provider/rules.ts';
import { customer } from '../testing/callers.ts';
import { type Running, startRunning } from '../testing/running.ts';

test.each([
  ['Corner Coffee', 'Corner Coffee'],
  ['Café Brûlée & Söhne', 'Cafe Brulee & Sohne'],
  ['Bo’s "Best" <Bakery>*', 'Bos Best Bakery'],
  ['The Corner Coffee of the Old Bridge', 'The Corner Coffee of t'],
  ['ＣＡＦＥ ①', 'CAFE 1'],
  ['コーナー', null],
  ['1042', null],
])('%s is on a statement as %s', (name, shown) => {
  expect(descriptorOf(name)).toBe(shown);
});

describe('the payment of an order', () => {
  let running: Running;
  beforeAll(async () => {
    running = await startRunning();
  });
  afterAll(async () => {
    await running[Symbol.asyncDispose]();
  });

  const intentAt = async (settings: object) => {
    const { body } = await customer(running).create(await running.openStore(settings));
    return running.payments.books().intents.find(({ id }) => id === body.payment_intent_id);
  };

  test('is on the customer’s statement under the store’s name, and offers only methods whose outcome is known at once', async () => {
    const intent = await intentAt({ name: 'Café Brûlée' });
    expect(intent?.statement_descriptor_suffix).toBe('Cafe Brulee');
    expect(intent?.allowed_payment_method_types).toContain('card');
    for (const delayed of ['sepa_debit', 'bacs_debit', 'customer_balance', 'konbini'])
      expect(intent?.allowed_payment_method_types).not.toContain(delayed);
  });

  test('of a store whose name has no Latin letter is there under the number of the order', async () => {
    expect((await intentAt({ name: 'コーナー' }))?.statement_descriptor_suffix).toMatch(/^S1-\d+$/);
  });

  test('offers every method where the store says so', async () => {
    expect((await intentAt({ delayed_payment_methods: true }))?.allowed_payment_method_types).toBeNull();
  });
});
