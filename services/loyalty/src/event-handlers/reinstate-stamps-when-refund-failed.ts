import { on } from '@corner/chassis';
import { orderRefundFailed } from '@corner/contracts';
import { applyRefunds } from '../transactions/apply-refunds.ts';

/** Reinstates the stamps of an order whose full refund failed, and redeems the voucher again that the refund had restored. */
export const reinstateStampsWhenRefundFailed = on(orderRefundFailed, ({ data, sequence }, tx) =>
  applyRefunds(tx, { ...data, full: false }, sequence),
);
