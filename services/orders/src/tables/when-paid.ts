import { type FragmentSqlToken, sql } from 'slonik';

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
