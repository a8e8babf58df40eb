import type { Order } from './operations.ts';

export const columns = ['accepted', 'preparing', 'ready', 'collected', 'returned'] as const;
export type Column = (typeof columns)[number];

type Placed = Pick<Order, 'fulfilment_status' | 'status' | 'uncollected'>;

/**
 * Returns null for an order that was not paid. An order that the store has not accepted yet is in the first column. An uncollected order
 * may still be handed over.
 */
export function columnOf({ fulfilment_status, status, uncollected }: Placed): Column | null {
  if (status === 'expired' || status === 'pending_payment' || status === 'payment_failed') return null;
  if (status === 'cancelled' || status === 'refunded' || fulfilment_status === 'cancelled') return 'returned';
  if (uncollected) return 'collected';
  const reached = columns.find((column) => column === fulfilment_status);
  return reached ?? 'accepted';
}

export function isOpen(order: Placed): boolean {
  const column = columnOf(order);
  return column === 'accepted' || column === 'preparing' || column === 'ready';
}

export type Columns = Readonly<Record<Column, readonly Order[]>>;

export function byColumn(orders: readonly Order[]): Columns {
  const found: Record<Column, Order[]> = { accepted: [], preparing: [], ready: [], collected: [], returned: [] };
  for (const order of orders) {
    const column = columnOf(order);
    if (column) found[column].push(order);
  }
  return found;
}

export const dueAt = ({ revised_ready_at, requested_collection_at }: Pick<Order, 'revised_ready_at' | 'requested_collection_at'>) =>
  revised_ready_at ?? requested_collection_at;

/** Orders that were read on their own since replace their rows. An order that has ended since moves from `live` to `ended`. */
export function mergeOrders(
  live: readonly Order[],
  ended: readonly Order[],
  reread: ReadonlyMap<string, Order>,
): { readonly live: readonly Order[]; readonly ended: readonly Order[] } {
  const hasEnded = (order: Order) => !isOpen(order);
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
