import { on } from '@corner/chassis';
import { orderPaid } from '@corner/contracts';
import { awardOrder } from '../transactions/award-order.ts';

/** Awards a paid order's stamps, unless the RPC has awarded them already. */
export const awardStampsWhenOrderPaid = on(orderPaid, async ({ data }, tx) => {
  await awardOrder(tx, data);
});
