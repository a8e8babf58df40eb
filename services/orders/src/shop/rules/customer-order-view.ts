import type { CustomerOrder } from '@corner/contracts';
import { orderStatus } from '../../order/rules/order-status.ts';
import { childView, orderView, type ViewedLeg } from '../../order/rules/order-view.ts';

type View = (typeof CustomerOrder)['_zod']['input'];
type ViewedOrder = Parameters<typeof orderView>[0] &
  Parameters<typeof orderStatus>[0] & {
    readonly store_name: string;
    readonly prep_minutes: number;
    readonly legs: readonly ViewedLeg[];
  };

/** An order as its customer sees it: what the store sees, without what is the store's alone, and with the legs. */
export function customerOrderView(order: ViewedOrder): View {
  const { disputed: _, customer_name: __, parent_order_id: ___, ...shared } = orderView(order);
  return {
    ...shared,
    status: orderStatus(order),
    store_name: order.store_name,
    prep_minutes: order.prep_minutes,
    children: order.legs.map(childView),
  };
}
