import { expect, test } from '@jest/globals';
import { isUnpaid, orderStatus, type PaymentStatus } from './order-status.ts';

const paid = { payment_status: 'paid', business_status: 'placed', refunded_pence: 0, fully_refunded: false } as const;

test('the status of a paid order names refunds before cancellation', () => {
  expect(orderStatus(paid)).toBe('paid');
  expect(orderStatus({ ...paid, business_status: 'cancelled' })).toBe('cancelled');
  expect(orderStatus({ ...paid, business_status: 'cancelled', refunded_pence: 1 })).toBe('partially_refunded');
  expect(orderStatus({ ...paid, business_status: 'cancelled', refunded_pence: 1, fully_refunded: true })).toBe('refunded');
});

test.each<[PaymentStatus, boolean]>([
  ['pending_payment', true],
  ['payment_failed', true],
  ['paid', false],
  ['expired', false],
  ['cancelled', false],
])('of the payment status %s the order can be paid: %s', (payment_status, unpaid) => {
  expect(isUnpaid({ payment_status })).toBe(unpaid);
});
