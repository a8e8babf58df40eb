import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { OrderRow, orderColumns } from './orders.ts';

/** An order with its legs. The main order carries the payment; legs are sorted by number. */
export interface OrderFamily {
  /** The order the caller named: `main` or one of `legs`. */
  readonly named: OrderRow;
  readonly main: OrderRow;
  readonly legs: readonly OrderRow[];
}

/**
 * Locks an order of a store with its whole family until the transaction ends. Every change of an order starts here. The main order is
 * locked first, so two callers starting from different legs cannot deadlock. Null when the store has no such order.
 */
export async function lockFamily(tx: Transaction, storeId: string, orderId: string): Promise<OrderFamily | null> {
  const rows = await tx.any(sql.prepared('lock-family', OrderRow)`
    with root as (select coalesce(parent_order_id, id) as id from orders where id = ${orderId} and store_id = ${storeId})
    select ${orderColumns} from orders o, root
    where o.store_id = ${storeId} and (o.id = root.id or o.parent_order_id = root.id)
    order by o.parent_order_id nulls first, o.order_number
    for update of o`);
  const [main, ...legs] = rows;
  const named = rows.find(({ id }) => id === orderId);
  return main && named ? { named, main, legs } : null;
}

/** The ids of an order and its legs. */
export const familyIds = ({ main, legs }: OrderFamily): readonly string[] => [main.id, ...legs.map(({ id }) => id)];
