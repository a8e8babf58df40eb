import type { Store } from '@corner/contracts';
import { refusalAtOnce, refusalOfStore, type TakingOrders } from './taking-orders.ts';

type View = (typeof Store)['_zod']['input'];
type ViewedStore = TakingOrders & Pick<View, 'id' | 'code' | 'name' | 'currency'>;

/** A store as apps show it, with the orders that it takes at an instant. */
export function storeView(store: ViewedStore, now: Date): View {
  const none = refusalOfStore(store, now);
  const refusal = none ?? refusalAtOnce(store, now);
  return {
    id: store.id,
    code: store.code,
    name: store.name,
    currency: store.currency,
    time_zone: store.time_zone,
    hours: [...store.hours],
    takes_orders: none ? 'none' : refusal ? 'scheduled' : 'now',
    reason: refusal?.message ?? null,
  };
}

/** Normalises a promo code: customers type it in any case. */
export const normaliseCode = (code: string): string => code.trim().toUpperCase();
