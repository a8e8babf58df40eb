import { columns, instantOf, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import type { z } from 'zod';
import { OrderRow, ReadOrder, readColumns } from '../../order/tables/orders.ts';

const Sale = OrderRow.pick({
  id: true,
  version: true,
  order_number: true,
  store_id: true,
  customer_id: true,
  without_customer: true,
  paid_at: true,
  total_pence: true,
  tip_pence: true,
  currency: true,
  voucher_id: true,
  is_first: true,
});
export type Sale = z.output<typeof Sale>;

export interface Binding {
  readonly storeId: string;
  readonly customerId: string;
  readonly after: Date;
  readonly until: Date;
}

/**
 * Binds the latest sale of a store's counter to a customer, with its legs, and returns it. The sale must have been paid within the span,
 * have no customer and no refund, and must not have arrived later than it was made. Null otherwise: earlier sales belong to other
 * customers. Of two concurrent taps, the second finds the sale bound when it gets the lock. That it is no leg is hidden from the planner,
 * which would otherwise read the orders of all customers.
 */
export const bindLatestSale = (tx: Transaction, { storeId, customerId, after, until }: Binding): Promise<Sale | null> =>
  tx.maybeOne(sql.prepared('bind-latest-sale', Sale)`
    with latest as materialized (
      select id, paid_at from orders
      where store_id = ${storeId} and channel = 'counter' and (parent_order_id is null) is true and offline is null and paid_at > ${after.toISOString()} and paid_at <= ${until.toISOString()}
      order by paid_at desc, id desc limit 1
    ), made_later as materialized (
      select l.id from orders l, latest
      where l.store_id = ${storeId} and l.channel = 'counter' and (l.parent_order_id is null) is true and l.offline is not null
        and l.paid_at > ${after.toISOString()} and (l.offline ->> 'sold_at')::timestamptz > latest.paid_at
        and (l.offline ->> 'sold_at')::timestamptz <= ${until.toISOString()}
      limit 1
    ), sale as materialized (
      select o.id from orders o
      where o.id = (select id from latest) and o.without_customer and o.payment_status = 'paid'
        and o.business_status <> 'cancelled' and o.refunded_pence = 0 and not o.fully_refunded
        and not exists (select from made_later)
      for update
    ), legs as (
      update orders l set customer_id = ${customerId}, without_customer = false, version = l.version + 1 from sale where l.parent_order_id = sale.id
    ), bound as (
      update orders o set customer_id = ${customerId}, without_customer = false, version = o.version + 1,
        is_first = (select count(*) = 0 from orders f where f.customer_id = ${customerId} and f.store_id = ${storeId} and f.is_first)
      from sale where o.id = sale.id returning o.*
    )
    select ${columns(Sale, { alias: 'b', overrides: { paid_at: instantOf } })} from bound b`);

type ReadOrderRow = z.output<typeof ReadOrder>;

export const listPaidSales = (queries: Queries, storeId: string, limit: number): Promise<readonly ReadOrderRow[]> =>
  queries.any(sql.prepared('list-paid-sales', ReadOrder)`
    select ${readColumns} from orders o
    where o.store_id = ${storeId} and o.channel = 'counter' and o.paid_at is not null and (o.parent_order_id is null) is true
    order by o.paid_at desc, o.id desc limit ${limit}`);

export const listOpenSales = (queries: Queries, storeId: string, limit: number): Promise<readonly ReadOrderRow[]> =>
  queries.any(sql.prepared('list-open-sales', ReadOrder)`
    select ${readColumns} from orders o
    where o.store_id = ${storeId} and o.channel = 'counter' and o.payment_status = 'pending_payment' and o.parent_order_id is null
    order by o.created_at desc, o.id desc limit ${limit}`);
