import type { Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import type { Charge } from './order-payments.ts';
import { OrderRow, orderColumns } from './orders.ts';

/** Every three paid orders still to be made delay the next one by a minute, by half an hour at most. */
const ordersAheadPerMinute = 3;
const mostMinutesAhead = 30;

export interface AcceptedPayment extends Charge {
  readonly customerId: string;
  readonly legIds: readonly string[];
  /** Candidates for collection codes, at least one per order that is free among the store's live orders. */
  readonly codes: readonly string[];
  /** Shown in the order's log; null for none. */
  readonly detail: string | null;
}

/**
 * Writes an order with its legs as paid and returns them, main order first: the charge in the ledger, the holds as committed, the log
 * entry, and on each order its status, times and collection code. One statement, so one round trip. Lock order: the caller holds the
 * orders' row locks, or has inserted them in this transaction; holds follow, and nothing else is locked.
 */
export async function writeAcceptedPayment(tx: Transaction, payment: AcceptedPayment): Promise<readonly OrderRow[]> {
  const { storeId, orderId, legIds, customerId, codes, amountPence } = payment;
  const orderIds = sql.array([orderId, ...legIds], 'uuid');
  const now = tx.now.toISOString();
  return await tx.many(sql.prepared('accept-payment', OrderRow)`
    with changed as (
      select o.id, row_number() over (partition by o.order_type order by o.parent_order_id nulls first, o.order_number) as n
      from orders o where o.id = any(${orderIds})
    ),
    free_code as (${freeCodes(storeId, codes)}),
    ahead as (${minutesAhead(storeId)}),
    first as (${isFirstOrder(storeId, customerId)}),
    charged as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      values (${storeId}, ${orderId}, 'charge', ${payment.intentId ?? `free:${orderId}`}, ${amountPence}, ${now})
    ),
    committed as (
      update hold set state = 'committed' where order_id = any(${orderIds}) and state = 'held'
    ),
    logged as (
      insert into log_entry (store_id, order_id, at, kind, title, detail, amount_pence)
      values (${storeId}, ${orderId}, ${now}, 'paid', 'Payment was received', ${payment.detail}, ${amountPence})
    ),
    paid as (${markedPaid(now)})
    select ${orderColumns} from paid o order by o.parent_order_id nulls first, o.order_number`);
}

/** The candidate codes that no live order of the store has, numbered in their order. */
const freeCodes = (storeId: string, codes: readonly string[]): FragmentSqlToken => sql.fragment`
  select c.code, row_number() over (order by min(c.n)) as n from unnest(${sql.array([...codes], 'text')}) with ordinality c(code, n)
  where not exists (
    select 1 from orders q where q.store_id = ${storeId} and q.business_status in ('placed', 'ready') and q.collection_code = c.code)
  group by c.code`;

/** Minutes that the paid orders still to be made add to the expected time. */
const minutesAhead = (storeId: string): FragmentSqlToken => sql.fragment`
  select least(count(*) / ${ordersAheadPerMinute}, ${mostMinutesAhead})::integer as minutes
  from (select 1 from orders q where q.store_id = ${storeId} and q.paid_at is not null and q.business_status = 'placed'
    limit ${ordersAheadPerMinute * mostMinutesAhead}) waiting`;

/** Whether the customer has paid no order at the store before. */
const isFirstOrder = (storeId: string, customerId: string): FragmentSqlToken => sql.fragment`
  select not exists (
    select 1 from orders q where q.customer_id = ${customerId} and q.store_id = ${storeId} and q.paid_at is not null
      and q.is_first is not null) as is_first`;

/** The orders with their new status. An order to collect as soon as it is made gets its expected time now. */
const markedPaid = (now: string): FragmentSqlToken => sql.fragment`
  update orders o
  set payment_status = 'paid', business_status = 'placed', paid_at = ${now}, version = o.version + 1, cancelled_at = null,
      is_first = case when o.parent_order_id is null then first.is_first end,
      fulfilment_status = case when s.auto_accept then 'accepted' end,
      accepted_at = case when s.auto_accept then ${now}::timestamptz end,
      requested_collection_at = coalesce(o.requested_collection_at,
        case when o.order_type = 'collect' then ${now}::timestamptz + make_interval(mins => o.prep_minutes + ahead.minutes) end),
      collection_code = case when o.order_type = 'collect' then free_code.code end
  from store s, ahead, first, changed join free_code on free_code.n = changed.n
  where o.id = changed.id and s.id = o.store_id
  returning o.*`;
