import { columns, instantOf, type Queries } from '@corner/chassis';
import { businessStatuses, fulfilmentStatuses } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';

const Line = z.object({ menu_item_id: z.string(), name: z.string(), quantity: z.number(), unit_price_pence: z.number() });

export const OrderRow = z.object({
  id: z.string(),
  version: z.number(),
  store_id: z.string(),
  customer_id: z.string(),
  /** Null when the directory has no name of the customer. */
  customer_name: z.string().nullable(),
  parent_order_id: z.string().nullable(),
  order_number: z.string(),
  order_type: z.enum(['buy_now', 'collect']),
  collection_mode: z.string().nullable(),
  table_number: z.string().nullable(),
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
  /** All that was paid is refunded; for an order that cost nothing, its one refund was made. */
  fully_refunded: z.boolean(),
  application_fee_pence: z.number(),
  connected_account_id: z.string(),
  on_behalf_of: z.boolean(),
  payment_intent_id: z.string().nullable(),
  /** Whether it holds nothing although it is unpaid: its payment could not be prepared. */
  holds_released: z.boolean(),
  voucher_id: z.string().nullable(),
  promo_code: z.string().nullable(),
  promo_label: z.string().nullable(),
  /** Of a leg: whether the payment of its main order is disputed. */
  disputed: z.boolean(),
  /** Whether it is the customer's first paid order at the store; null while unpaid, and when the payment came too late. */
  is_first: z.boolean().nullable(),
  traceparent: z.string().nullable(),
  created_at: z.string(),
  paid_at: z.string().nullable(),
  accepted_at: z.string().nullable(),
  preparing_at: z.string().nullable(),
  ready_at: z.string().nullable(),
  collected_at: z.string().nullable(),
  fulfilled_at: z.string().nullable(),
  cancelled_at: z.string().nullable(),
  /** When a cancellation of the unpaid order began; null when none did, or when it was refused. */
  cancel_begun_at: z.string().nullable(),
  lines: z.array(Line),
});
export type OrderRow = z.output<typeof OrderRow>;

const lines = sql.fragment`coalesce((
  select jsonb_agg(jsonb_build_object('menu_item_id', l.menu_item_id, 'name', l.name, 'quantity', l.quantity, 'unit_price_pence', l.unit_price_pence) order by l.position)
  from order_line l where l.order_id = o.id), '[]')`;

/** The columns of {@link OrderRow}, from a table named `o`. */
export const orderColumns: FragmentSqlToken = columns(OrderRow, {
  alias: 'o',
  overrides: {
    requested_collection_at: instantOf,
    revised_ready_at: instantOf,
    created_at: instantOf,
    paid_at: instantOf,
    accepted_at: instantOf,
    preparing_at: instantOf,
    ready_at: instantOf,
    collected_at: instantOf,
    fulfilled_at: instantOf,
    cancelled_at: instantOf,
    customer_name: sql.fragment`(select c.name from contact c where c.customer_id = o.customer_id)`,
    // Not `exists`, of which the planner may make a hash of all disputed orders.
    disputed: sql.fragment`(o.disputed or coalesce((select m.disputed from orders m where m.id = o.parent_order_id), false))`,
    lines,
  },
});

/** Reads an order of a store. */
export const findOrder = (queries: Queries, storeId: string, orderId: string): Promise<OrderRow | null> =>
  queries.maybeOne(
    sql.prepared('find-order', OrderRow)`select ${orderColumns} from orders o where o.id = ${orderId} and o.store_id = ${storeId}`,
  );

/** Reads an order that carries its own payment, at whichever store. */
export const findMainOrder = (queries: Queries, orderId: string): Promise<OrderRow | null> =>
  queries.maybeOne(sql.prepared('find-main-order', OrderRow)`
    select ${orderColumns} from orders o where o.id = ${orderId} and o.parent_order_id is null`);

/** Reads the legs of an order, sorted by number. */
export const findLegs = (queries: Queries, storeId: string, orderId: string): Promise<readonly OrderRow[]> =>
  queries.any(sql.prepared('find-legs', OrderRow)`
    select ${orderColumns} from orders o where o.parent_order_id = ${orderId} and o.store_id = ${storeId} order by o.order_number`);

const IntentOrder = OrderRow.extend({ welcome_message: z.string().nullable(), has_legs: z.boolean() });

/** Reads a customer's order at a store by its payment intent, with the store's welcome message, and whether it has legs. */
export const findCustomerOrderByIntent = (
  queries: Queries,
  { storeId, customerId, intentId }: { readonly storeId: string; readonly customerId: string; readonly intentId: string },
): Promise<z.output<typeof IntentOrder> | null> =>
  queries.maybeOne(sql.prepared('find-customer-order-by-intent', IntentOrder)`
    select ${orderColumns}, s.welcome_message, 
      coalesce((select true from orders l where l.parent_order_id = o.id limit 1), false) as has_legs
    from orders o join store s on s.id = o.store_id
    where o.payment_intent_id = ${intentId} and o.store_id = ${storeId} and o.customer_id = ${customerId}`);

/** Reads an order by its id, at whichever store. Null for what is no id of an order, too. */
export const findOrderById = async (queries: Queries, orderId: string): Promise<OrderRow | null> =>
  z.guid().safeParse(orderId).success
    ? await queries.maybeOne(sql.prepared('find-order-by-id', OrderRow)`select ${orderColumns} from orders o where o.id = ${orderId}`)
    : null;

/** Reads the order an intent pays, at whichever store: the provider's events do not name one. */
export const findOrderByIntent = (queries: Queries, intentId: string): Promise<OrderRow | null> =>
  queries.maybeOne(
    sql.prepared('find-order-by-intent', OrderRow)`select ${orderColumns} from orders o where o.payment_intent_id = ${intentId}`,
  );
