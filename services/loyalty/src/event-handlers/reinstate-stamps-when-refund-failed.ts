import { on } from '@corner/chassis';
import { orderRefundFailed } from '@corner/contracts';
import { applyRefunds } from '../transactions/apply-refunds.ts';

/**
 * Reinstates the stamps of an order whose full refund failed, and redeems the voucher again that the refund had restored. A refund that
 * was never accepted had changed neither.
 */
export const reinstateStampsWhenRefundFailed = on(orderRefundFailed, async ({ data, sequence }, tx) => {
  if (data.was_accepted) await applyRefunds(tx, { ...data, full: false }, sequence);
});
