import type { CustomerOrder, Store } from '@corner/contracts';
import { childView, orderView, type ViewedLeg } from '../../order/rules/order-views.ts';
import { orderStatus } from '../../order/rules/status.ts';
import { openingsOfWeek, refusalAtOnce, refusalOfStore, type TakingOrders } from './taking-orders.ts';

type StoreView = (typeof Store)['_zod']['input'];
type ViewedStore = TakingOrders & Pick<StoreView, 'id' | 'code' | 'name' | 'currency' | 'address' | 'phone' | 'position'>;

export function storeView(store: ViewedStore, now: Date): StoreView {
  const none = refusalOfStore(store, now);
  const refusal = none ?? refusalAtOnce(store, now);
  return {
    id: store.id,
    code: store.code,
    name: store.name,
    currency: store.currency,
    time_zone: store.time_zone,
    hours: [...store.hours],
    openings: openingsOfWeek(store, now),
    takes_orders: none ? 'none' : refusal ? 'scheduled' : 'now',
    reason: refusal?.message ?? null,
    address: store.address,
    phone: store.phone,
    position: store.position,
  };
}

type CustomerOrderView = (typeof CustomerOrder)['_zod']['input'];
type ViewedOrder = Parameters<typeof orderView>[0] &
  Parameters<typeof orderStatus>[0] & {
    readonly store_name: string;
    readonly prep_minutes: number;
    readonly paid_at: string | null;
    readonly legs: readonly ViewedLeg[];
  };

/** An order for its customer: the store's view without the store's own fields, with the legs and, once it is paid, its receipt. */
export function customerOrderView(order: ViewedOrder, receiptUrl: string | null): CustomerOrderView {
  const { disputed: _, customer_id: __, customer_name: ___, parent_order_id: ____, ...shared } = orderView(order);
  return {
    ...shared,
    status: orderStatus(order),
    store_name: order.store_name,
    prep_minutes: order.prep_minutes,
    children: order.legs.map(childView),
    receipt_url: order.paid_at === null ? null : receiptUrl,
  };
}
