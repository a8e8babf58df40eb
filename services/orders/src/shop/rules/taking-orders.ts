import { Problem } from '@corner/contracts';
import { atStore, type Closing, closedUntil, isOpen, type Opening } from './opening-hours.ts';

/** What decides whether a store takes orders. */
export interface TakingOrders extends Closing {
  readonly live: boolean;
  readonly connected_account_id: string | null;
  /** Whether the payment provider restricts the account, so that no order could be paid. */
  readonly account_restricted: boolean;
  readonly hours: readonly Opening[];
  /** No order is taken until then, ISO 8601. Null when the store is not paused. */
  readonly paused_until: string | null;
}

/** Returns why a store takes no order of any kind, STORE_NOT_ACCEPTING_ORDERS; null when it takes orders. */
export function refusalOfStore(store: TakingOrders, now: Date): Problem | null {
  if (!store.live || !store.connected_account_id || store.account_restricted) return new Problem('STORE_NOT_ACCEPTING_ORDERS');
  if (!store.paused_until || now.getTime() >= Date.parse(store.paused_until)) return null;
  const until = atStore(new Date(store.paused_until), store.time_zone);
  return new Problem('STORE_NOT_ACCEPTING_ORDERS', { message: `The store takes no orders until ${until}.` });
}

/** Returns why a store takes no order to be made at once, STORE_CLOSED; null when it is open. */
export function refusalAtOnce(store: TakingOrders, now: Date): Problem | null {
  const closed = closedUntil(store.closures, now);
  if (closed) return new Problem('STORE_CLOSED', { message: `The store is closed until ${atStore(closed, store.time_zone)}.` });
  return isOpen(store.hours, store.time_zone, now) ? null : new Problem('STORE_CLOSED');
}
