import { on } from '@corner/chassis';
import { orderRefunded } from '@corner/contracts';
import { applyRefunds } from '../transactions/apply-refunds.ts';

/** Takes back the stamps of a fully refunded order, even when the refund arrives before the award. */
export const takeBackStampsWhenOrderRefunded = on(orderRefunded, ({ data, sequence }, tx) => applyRefunds(tx, data, sequence));
