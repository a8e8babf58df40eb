import { on } from '@corner/chassis';
import { type EventOf, orderPaid } from '@corner/contracts';
import type { Context } from '../context.ts';
import { awardPaidOrder } from '../tables/award-order.ts';

/** A paid order earns its stamps, unless confirm's question has brought them already. */
export const awardStampsWhenOrderPaid = on(orderPaid, async ({ data }: EventOf<typeof orderPaid>, tx, { now, newId }: Context) => {
  await awardPaidOrder(tx, data, now(), newId);
});
