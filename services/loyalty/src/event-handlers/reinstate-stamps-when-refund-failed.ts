import { on } from '@corner/chassis';
import { type EventOf, orderRefundFailed } from '@corner/contracts';
import type { Context } from '../context.ts';
import { followRefunds } from '../tables/reverse-order.ts';

/** A refund that failed days later: what it had taken back counts again. */
export const reinstateStampsWhenRefundFailed = on(
  orderRefundFailed,
  ({ data, sequence }: EventOf<typeof orderRefundFailed>, tx, { now, newId }: Context) =>
    followRefunds(tx, { ...data, full: false, voucher_id: null }, sequence, now(), newId),
);
