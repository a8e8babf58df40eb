import { expect, test } from '@jest/globals';
import { endedUnpaid, isUnpaid, orderStatus, type PaymentStatus } from './order-status.ts';

const paid = { payment_status: 'paid', business_status: 'placed', refunded_pence: 0, fully_refunded: false } as const;

test('the status of a paid order names refunds before cancellation', () => {
  expect(orderStatus(paid)).toBe('paid');
  expect(orderStatus({ ...paid, business_status: 'cancelled' })).toBe('cancelled');
  expect(orderStatus({ ...paid, business_status: 'cancelled', refunded_pence: 1 })).toBe('partially_refunded');
  expect(orderStatus({ ...paid, business_status: 'cancelled', refunded_pence: 1, fully_refunded: true })).toBe('refunded');
});

test.each<[PaymentStatus, boolean, boolean]>([
  ['pending_payment', true, false],
  ['payment_failed', true, false],
  ['paid', false, false],
  ['expired', false, true],
  ['cancelled', false, true],
])('of the payment status %s the order can be paid: %s, and ended unpaid: %s', (payment_status, unpaid, ended) => {
  expect([isUnpaid({ payment_status }), endedUnpaid({ payment_status })]).toEqual([unpaid, ended]);
});
