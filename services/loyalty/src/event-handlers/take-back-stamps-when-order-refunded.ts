import { on } from '@corner/chassis';
import { type EventOf, orderRefunded } from '@corner/contracts';
import type { Context } from '../context.ts';
import { followRefunds } from '../tables/reverse-order.ts';

/** A fully refunded order gives back the stamps it earned, even when the refund overtakes the award. */
export const takeBackStampsWhenOrderRefunded = on(
  orderRefunded,
  ({ data, sequence }: EventOf<typeof orderRefunded>, tx, { now, newId }: Context) => followRefunds(tx, data, sequence, now(), newId),
);
