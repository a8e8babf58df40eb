import { onAll } from '@corner/chassis';
import { orderPaid } from '@corner/contracts';
import { awardOrders } from '../transactions/award-orders.ts';

/** Awards the stamps of paid orders, unless the RPC has awarded them already. */
export const awardStampsWhenOrderPaid = onAll(orderPaid, ({ data }) => data, awardOrders);
