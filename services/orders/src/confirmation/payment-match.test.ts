import { expect, test } from '@jest/globals';
import { paymentMismatch } from './rules.ts';

const order = { id: 'order', payment_intent_id: 'pi_1', total_pence: 640, currency: 'GBP', connected_account_id: 'acct_1' };
const intent = { id: 'pi_1', orderId: 'order', amountPence: 640, currency: 'GBP', destination: 'acct_1' };

test('an intent matches the order it was created for, even before the order has stored it', () => {
  expect(paymentMismatch(order, intent)).toBeNull();
  expect(paymentMismatch({ ...order, payment_intent_id: null }, intent)).toBeNull();
});

test.each([
  [{ orderId: 'another' }, 'it belongs to another order'],
  [{ orderId: null }, 'it belongs to another order'],
  [{ id: 'pi_2' }, 'the order has another payment'],
  [{ amountPence: 639 }, 'the amount differs'],
  [{ currency: 'EUR' }, 'the currency differs'],
  [{ destination: null }, 'the destination differs'],
])('an intent with %j does not match: %s', (difference, reason) => {
  expect(paymentMismatch(order, { ...intent, ...difference })).toBe(reason);
});
