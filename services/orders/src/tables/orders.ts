import type { Queries, Transaction } from '@corner/chassis';
import { businessStatuses, fulfilmentStatuses, type Order, type OrderChild, type OrderStatus } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

/** Instants as they are answered: UTC, microseconds, Z. A JS Date would lose the microseconds that tell pages apart. */
export const instant = (column: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const Line = z.object({ menu_item_id: z.string(), name: z.string(), quantity: z.number(), unit_price_pence: z.number() });

export const OrderRow = z.object({
  id: z.string(),
  version: z.number(),
  store_id: z.string(),
  customer_id: z.string(),
  parent_order_id: z.string().nullable(),
  order_number: z.string(),
  order_type: z.enum(['buy_now', 'collect']),
  collection_mode: z.string().nullable(),
  slot_id: z.string().nullable(),
  requested_collection_at: z.string().nullable(),
  revised_ready_at: z.string().nullable(),
  prep_minutes: z.number(),
  collection_code: z.string().nullable(),
  payment_status: z.enum(['pending_payment', 'payment_failed', 'paid', 'cancelled', 'expired']),
  business_status: z.enum(businessStatuses).nullable(),
  fulfilment_status: z.enum(fulfilmentStatuses).nullable(),
  currency: z.string(),
  subtotal_pence: z.number(),
  promo_discount_pence: z.number(),
  voucher_discount_pence: z.number(),
  tip_pence: z.number(),
  total_pence: z.number(),
  refunded_pence: z.number(),
  /** Every penny that was paid, or of an order that cost nothing the one refund there can be. */
  fully_refunded: z.boolean(),
  application_fee_pence: z.number(),
  connected_account_id: z.string(),
  on_behalf_of: z.boolean(),
  payment_intent_id: z.string().nullable(),
  voucher_id: z.string().nullable(),
  promo_code: z.string().nullable(),
  promo_label: z.string().nullable(),
  disputed: z.boolean(),
  is_first: z.boolean().nullable(),
  award: z.unknown(),
  traceparent: z.string().nullable(),
  created_at: z.string(),
  paid_at: z.string().nullable(),
  accepted_at: z.string().nullable(),
  preparing_at: z.string().nullable(),
  ready_at: z.string().nullable(),
  collected_at: z.string().nullable(),
  fulfilled_at: z.string().nullable(),
  cancelled_at: z.string().nullable(),
  lines: z.array(Line),
});
export type OrderRow = z.output<typeof OrderRow>;

/** The columns of {@link OrderRow}, of a table called o. */
export const orderColumns: FragmentSqlToken = sql.fragment`
  o.id, o.version, o.store_id, o.customer_id, o.parent_order_id, o.order_number, o.order_type, o.collection_mode, o.slot_id,
  ${instant(sql.fragment`o.requested_collection_at`)} as requested_collection_at, ${instant(sql.fragment`o.revised_ready_at`)} as revised_ready_at,
  o.prep_minutes, o.collection_code, o.payment_status, o.business_status, o.fulfilment_status, o.currency, o.subtotal_pence,
  o.promo_discount_pence, o.voucher_discount_pence, o.tip_pence, o.total_pence, o.refunded_pence, o.fully_refunded, o.application_fee_pence,
  o.connected_account_id, o.on_behalf_of, o.payment_intent_id, o.voucher_id, o.promo_code, o.promo_label, o.disputed, o.is_first, o.award, o.traceparent,
  ${instant(sql.fragment`o.created_at`)} as created_at, ${instant(sql.fragment`o.paid_at`)} as paid_at, ${instant(sql.fragment`o.accepted_at`)} as accepted_at,
  ${instant(sql.fragment`o.preparing_at`)} as preparing_at, ${instant(sql.fragment`o.ready_at`)} as ready_at,
  ${instant(sql.fragment`o.collected_at`)} as collected_at, ${instant(sql.fragment`o.fulfilled_at`)} as fulfilled_at,
  ${instant(sql.fragment`o.cancelled_at`)} as cancelled_at,
  coalesce((
    select jsonb_agg(jsonb_build_object('menu_item_id', l.menu_item_id, 'name', l.name, 'quantity', l.quantity, 'unit_price_pence', l.unit_price_pence) order by l.position)
    from order_line l where l.order_id = o.id), '[]') as lines`;

/** An order with whoever it belongs together with: the order money was paid on, and its legs in the order of their numbers. */
export interface Family {
  /** The order that was named: `main` or one of `legs`. */
  readonly named: OrderRow;
  readonly main: OrderRow;
  readonly legs: readonly OrderRow[];
}

/**
 * Locks an order of a store with its whole family until the transaction ends: whoever changes an order starts here. The main order
 * is locked first, so that two who come from different legs wait for each other and do not lock each other out.
 */
export async function lockFamily(tx: Transaction, storeId: string, orderId: string): Promise<Family | null> {
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

/** An order of a store. */
export const findOrder = (queries: Queries, storeId: string, orderId: string): Promise<OrderRow | null> =>
  queries.maybeOne(
    sql.prepared('find-order', OrderRow)`select ${orderColumns} from orders o where o.id = ${orderId} and o.store_id = ${storeId}`,
  );

/** The payment word of an order; words of refund win. */
export function statusOf(order: Pick<OrderRow, 'payment_status' | 'refunded_pence' | 'fully_refunded' | 'business_status'>): OrderStatus {
  if (order.payment_status !== 'paid') return order.payment_status;
  if (order.fully_refunded) return 'refunded';
  if (order.refunded_pence > 0) return 'partially_refunded';
  return order.business_status === 'cancelled' ? 'cancelled' : 'paid';
}

/** What every event of an order says of it. */
export const namesOf = ({ id, order_number, store_id, customer_id }: OrderRow) => ({ order_id: id, order_number, store_id, customer_id });

/** Whose event it is, for the change that is being made: the order's next version. */
export const nextOf = ({ id, version, store_id, customer_id }: OrderRow) => ({
  aggregateId: id,
  sequence: version + 1,
  storeId: store_id,
  customerId: customer_id,
});

/** A leg as it is answered with its order. */
export const childOf = (leg: OrderRow): z.input<typeof OrderChild> => ({
  order_id: leg.id,
  order_number: leg.order_number,
  order_type: leg.order_type,
  collection_code: leg.collection_code,
  fulfilment_status: leg.fulfilment_status ?? 'pending',
  prep_minutes: leg.prep_minutes,
  requested_collection_at: leg.requested_collection_at,
  total_pence: leg.total_pence,
});

/** The legs of an order, in the order of their numbers. */
export const findLegs = (queries: Queries, storeId: string, orderId: string): Promise<readonly OrderRow[]> =>
  queries.any(sql.prepared('find-legs', OrderRow)`
    select ${orderColumns} from orders o where o.parent_order_id = ${orderId} and o.store_id = ${storeId} order by o.order_number`);

/** A row as it is answered. */
export const viewOf = (order: OrderRow): z.input<typeof Order> => ({
  id: order.id,
  store_id: order.store_id,
  order_type: order.order_type,
  fulfilment_status: order.fulfilment_status,
  collection_code: order.collection_code,
  collection_mode: order.collection_mode,
  requested_collection_at: order.requested_collection_at,
  accepted_at: order.accepted_at,
  preparing_at: order.preparing_at,
  ready_at: order.ready_at,
  collected_at: order.collected_at,
  created_at: order.created_at,
  order_number: order.order_number,
  status: statusOf(order),
  total_pence: order.total_pence,
  currency: order.currency,
  parent_order_id: order.parent_order_id,
  revised_ready_at: order.revised_ready_at,
  items: order.lines.map((line) => ({ ...line, total_pence: line.quantity * line.unit_price_pence })),
});
