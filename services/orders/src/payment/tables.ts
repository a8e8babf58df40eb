import { columns, instantOf, outboxColumns, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import type { Charge } from '../order/tables/order-payments.ts';
import { OrderRow } from '../order/tables/orders.ts';

export interface AcceptedPayment extends Charge {
  readonly customerId: string;
  /** The states in which the order can be paid. */
  readonly from: readonly OrderRow['payment_status'][];
  /** A collection code for the order and each leg that it may have. */
  readonly codes: readonly string[];
  /** Shown in the order's log; null for none. */
  readonly detail: string | null;
  /** The provider's event that reported the payment, which is processed with it; null when none did. */
  readonly eventId: string | null;
  /** Selects the rows of the outbox from the orders as they are paid, `paid`. */
  readonly events: FragmentSqlToken;
}

const Paid = OrderRow.pick({
  version: true,
  payment_status: true,
  business_status: true,
  fulfilment_status: true,
  is_first: true,
  paid_at: true,
  accepted_at: true,
  cancelled_at: true,
  requested_collection_at: true,
  collection_code: true,
});
/** What changes of an order when it is paid. */
export type Paid = Pick<OrderRow, keyof typeof Paid.shape>;

/**
 * Writes an order with its legs as paid, in one statement: each one's status, times and collection code, the charge in the ledger, the
 * holds as committed, the log entry, the events, and the provider's event as processed. Returns what changed of the order. Null, having
 * changed nothing, when the order is in another state. Lock order: the orders, main order first; then their holds, and nothing else.
 */
export const writeAcceptedPayment = (queries: Pick<Queries, 'maybeOne'>, payment: AcceptedPayment, now: string): Promise<Paid | null> =>
  queries.maybeOne(sql.prepared('accept-payment', Paid)`
    with family as (
      select o.id, o.parent_order_id, o.order_number from orders o
      where o.store_id = ${payment.storeId} and (o.id = ${payment.orderId} or o.parent_order_id = ${payment.orderId})
        and o.payment_status = any(${sql.array([...payment.from], 'text')})
      order by o.parent_order_id nulls first, o.order_number
      for update of o
    ),
    main as (select id from family where id = ${payment.orderId}),
    numbered as (
      select f.id, row_number() over (order by f.parent_order_id nulls first, f.order_number)::integer as n from family f where exists (select from main)
    ),
    charged as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      select ${payment.storeId}, id, 'charge', ${payment.intentId}, ${payment.amountPence}, ${now} from main
    ),
    committed as (
      update hold set state = 'committed' where order_id = any(array(select id from numbered)) and state = 'held'
    ),
    logged as (
      insert into log_entry (store_id, order_id, at, kind, title, detail, amount_pence)
      select ${payment.storeId}, id, ${now}, 'paid', 'Payment was received', ${payment.detail}, ${payment.amountPence} from main
    ),
    event_processed as (
      update provider_event set processed_at = ${now}, attempts = attempts + 1
      where id = ${payment.eventId} and processed_at is null and exists (select from main)
    ),
    paid as (${markedPaid(payment, now)}),
    published as (insert into outbox (${outboxColumns}) ${payment.events})
    select ${paidColumns} from paid p where p.parent_order_id is null`);

const paidColumns = columns(Paid, {
  alias: 'p',
  overrides: { paid_at: instantOf, accepted_at: instantOf, cancelled_at: instantOf, requested_collection_at: instantOf },
});

const markedPaid = ({ storeId, customerId, codes }: AcceptedPayment, now: string): FragmentSqlToken => sql.fragment`
  update orders o
  set payment_status = 'paid', business_status = 'placed', paid_at = ${now}, version = o.version + 1, cancelled_at = null,
      is_first = case when o.parent_order_id is null then ${isFirstOrder(storeId, customerId)} end,
      fulfilment_status = case when s.auto_accept then 'accepted' end,
      accepted_at = case when s.auto_accept then ${now}::timestamptz end,
      requested_collection_at = coalesce(o.requested_collection_at, ${expectedAt('o', storeId, now)}),
      collection_code = case when o.order_type = 'collect' then (${sql.array([...codes], 'text')})[n.n] end
  from numbered n, store s
  where o.id = n.id and s.id = o.store_id
  returning o.*`;

/** Every three paid orders still to be made delay the next one by a minute, by half an hour at most. */
const ordersAheadPerMinute = 3;
const mostMinutesAhead = 30;

/**
 * When a paid order without a requested time is expected to be made; null for one that is not collected. `o` has its order_type and
 * prep_minutes. The orders ahead are only counted where the value is needed.
 */
export const expectedAt = (o: string, storeId: string, now: string): FragmentSqlToken => sql.fragment`
  case when ${sql.identifier([o, 'order_type'])} = 'collect'
    then ${now}::timestamptz + make_interval(mins => ${sql.identifier([o, 'prep_minutes'])} + ${minutesAhead(storeId)}) end`;

/** Minutes that the paid orders still to be made add to the expected time. */
const minutesAhead = (storeId: string): FragmentSqlToken => sql.fragment`(
  select least(count(*) / ${ordersAheadPerMinute}, ${mostMinutesAhead})::integer
  from (select from orders q where q.store_id = ${storeId} and q.is_live and q.business_status = 'placed'
    limit ${ordersAheadPerMinute * mostMinutesAhead}) waiting)`;

/**
 * Whether a customer has paid no order at the store before. Two orders that are paid at once may both find so; the unique index
 * one_first_order_of_a_customer then refuses one of them.
 */
export const isFirstOrder = (storeId: string, customerId: string): FragmentSqlToken => sql.fragment`(
  not exists (select from orders q where q.customer_id = ${customerId} and q.store_id = ${storeId} and q.is_first))`;
