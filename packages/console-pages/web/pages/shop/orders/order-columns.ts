import type { Order } from '../operations.ts';

/** The columns of the board, by the names of the fulfilment statuses. */
export const columns = ['accepted', 'preparing', 'ready', 'collected'] as const;
export type Column = (typeof columns)[number];

/**
 * The column of an order. An order that the store has not accepted yet stands with those to begin. A cancelled order stands with those that
 * have ended; one that ended without a payment stands nowhere.
 */
export function columnOf({ fulfilment_status, status }: Pick<Order, 'fulfilment_status' | 'status'>): Column | null {
  if (status === 'expired' || status === 'pending_payment' || status === 'payment_failed') return null;
  switch (fulfilment_status) {
    case 'preparing':
    case 'ready':
    case 'collected':
      return fulfilment_status;
    case 'cancelled':
      return 'collected';
    default:
      return status === 'cancelled' ? 'collected' : 'accepted';
  }
}

/** Orders by column, each in the order given. */
export function byColumn(orders: readonly Order[]): Readonly<Record<Column, readonly Order[]>> {
  const found: Record<Column, Order[]> = { accepted: [], preparing: [], ready: [], collected: [] };
  for (const order of orders) {
    const column = columnOf(order);
    if (column) found[column].push(order);
  }
  return found;
}

/** When the order is due: the time of the latest delay notice, else the booked or expected time. */
export const dueAt = ({ revised_ready_at, requested_collection_at }: Pick<Order, 'revised_ready_at' | 'requested_collection_at'>) =>
  revised_ready_at ?? requested_collection_at;

/**
 * The live orders in the order of the list: the pages that were read, and over them each order that was read by itself since. An order that
 * was read by itself and has ended is left out here and is among `ended`.
 */
export function mergeOrders(
  live: readonly Order[],
  ended: readonly Order[],
  reread: ReadonlyMap<string, Order>,
): { readonly live: readonly Order[]; readonly ended: readonly Order[] } {
  const hasEnded = (order: Order) => columnOf(order) === null || columnOf(order) === 'collected';
  const known = new Set(live.map(({ id }) => id));
  const later = [...reread.values()];
  const current = live.map((order) => reread.get(order.id) ?? order);
  const added = later.filter((order) => !known.has(order.id) && !hasEnded(order));
  const endedLater = later.filter(hasEnded);
  const endedIds = new Set(endedLater.map(({ id }) => id));
  return {
    live: unique([...current.filter((order) => !endedIds.has(order.id)), ...added]).toSorted(byDueTime),
    ended: unique([...endedLater.toSorted(byEnd), ...ended.map((order) => reread.get(order.id) ?? order)]).filter(hasEnded),
  };
}

const listedAt = (order: Order): string => order.requested_collection_at ?? order.created_at;
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byDueTime = (a: Order, b: Order): number => compare(listedAt(a), listedAt(b)) || compare(a.id, b.id);
const byEnd = (a: Order, b: Order): number => compare(b.collected_at ?? b.created_at, a.collected_at ?? a.created_at);

const unique = (orders: readonly Order[]): Order[] => [...new Map(orders.map((order) => [order.id, order])).values()];
