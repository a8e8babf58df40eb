import { instantOf, type Queries } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PageBound } from '../../order/rules/page-bound.ts';
import { OrderRow, orderColumns } from '../../order/tables/orders.ts';

const Leg = OrderRow.pick({
  id: true,
  order_number: true,
  order_type: true,
  collection_code: true,
  fulfilment_status: true,
  prep_minutes: true,
  requested_collection_at: true,
  total_pence: true,
});

/** An order that carries its own payment, with its store's name and its legs, sorted by number. */
const CustomerOrderRow = OrderRow.extend({ store_name: z.string(), legs: z.array(Leg) });
export type CustomerOrderRow = z.output<typeof CustomerOrderRow>;

const legs = sql.fragment`coalesce((
  select jsonb_agg(jsonb_build_object('id', l.id, 'order_number', l.order_number, 'order_type', l.order_type,
    'collection_code', l.collection_code, 'fulfilment_status', l.fulfilment_status, 'prep_minutes', l.prep_minutes,
    'requested_collection_at', ${instantOf(sql.fragment`l.requested_collection_at`)},
    'total_pence', l.total_pence) order by l.order_number)
  from orders l where l.parent_order_id = o.id), '[]')`;

/** Reads a customer's orders below a bound, newest first. Legs are shown with their order. */
export const listCustomerOrders = (
  queries: Queries,
  customerId: string,
  limit: number,
  { at, id }: PageBound,
): Promise<readonly CustomerOrderRow[]> =>
  queries.any(sql.prepared('list-customer-orders', CustomerOrderRow)`
    select ${orderColumns}, s.name as store_name, ${legs} as legs
    from orders o join store s on s.id = o.store_id
    where o.customer_id = ${customerId} and o.parent_order_id is null and (o.created_at, o.id) < (${at}::timestamptz, ${id}::uuid)
    order by o.created_at desc, o.id desc
    limit ${limit}`);

/** Reads a customer's order by its id or that of one of its legs. Null when it is another customer's. */
export const findCustomerOrder = (queries: Queries, customerId: string, orderId: string): Promise<CustomerOrderRow | null> =>
  queries.maybeOne(sql.prepared('find-customer-order', CustomerOrderRow)`
    select ${orderColumns}, s.name as store_name, ${legs} as legs
    from orders o join store s on s.id = o.store_id
    where o.id = (select coalesce(n.parent_order_id, n.id) from orders n where n.id = ${orderId}) and o.customer_id = ${customerId}`);
