import { columns, instantOf, type Queries, type Transaction } from '@corner/chassis';
import { businessStatuses, cancellers, fulfilmentStatuses, OfflineSale, orderChannels, providerModes } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { TenderEntry, tenderEntrySql } from './ledger.ts';

const Line = z.object({
  position: z.number(),
  menu_item_id: z.string(),
  name: z.string(),
  quantity: z.number(),
  unit_price_pence: z.number(),
  choices: z.array(z.object({ option: z.string(), choice_id: z.string(), name: z.string(), price_pence: z.number() })),
  note: z.string().nullable(),
  /** Units that are refunded or reserved for refund. */
  refunded: z.number(),
});

export const OrderRow = z.object({
  id: z.string(),
  version: z.number(),
  store_id: z.string(),
  /** For a sale without a customer, the id of the main order. */
  customer_id: z.string(),
  without_customer: z.boolean(),
  channel: z.enum(orderChannels),
  customer_name: z.string().nullable(),
  parent_order_id: z.string().nullable(),
  order_number: z.string(),
  order_type: z.enum(['buy_now', 'collect']),
  collection_mode: z.string().nullable(),
  table_number: z.string().nullable(),
  eat_in: z.boolean().nullable(),
  offline: OfflineSale.nullable(),
  slot_id: z.string().nullable(),
  requested_collection_at: z.string().nullable(),
  revised_ready_at: z.string().nullable(),
  /** Of an order to collect now, between which instants it was quoted to be ready; null where too few orders were known. */
  ready_from: z.string().nullable(),
  ready_to: z.string().nullable(),
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
  /** For a free order, whether its one refund was made. */
  fully_refunded: z.boolean(),
  application_fee_pence: z.number(),
  connected_account_id: z.string(),
  payment_mode: z.enum(providerModes).nullable(),
  on_behalf_of: z.boolean(),
  payment_intent_id: z.string().nullable(),
  holds_released: z.boolean(),
  voucher_id: z.string().nullable(),
  promo_code: z.string().nullable(),
  promo_label: z.string().nullable(),
  /** The booking whose deposit it pays. */
  booking_ref: z.string().nullable(),
  /** For a leg, whether the payment of its main order is disputed. */
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
  cancelled_by: z.enum(cancellers).nullable(),
  /** When it ended uncollected; null again once it was handed over after all. */
  uncollected_at: z.string().nullable(),
  /** When a cancellation of the unpaid order began; null when none did, or when it was refused. */
  cancel_begun_at: z.string().nullable(),
  lines: z.array(Line),
});
export type OrderRow = z.output<typeof OrderRow>;

const lines = sql.fragment`coalesce((
  select jsonb_agg(jsonb_build_object('position', l.position, 'menu_item_id', l.menu_item_id, 'name', l.name, 'quantity', l.quantity,
    'unit_price_pence', l.unit_price_pence, 'choices', coalesce(l.choices, '[]'), 'note', l.note, 'refunded', l.refunded) order by l.position)
  from order_line l where l.order_id = o.id), '[]')`;

/**
 * Whether an order `o` is in the live list: paid, and neither ended nor fully refunded. A fully refunded order keeps its collection code
 * until it is handed over or cancelled; if the refund fails, it returns to the list.
 */
export const isLiveSql: FragmentSqlToken = sql.fragment`o.is_live and not o.fully_refunded`;

export const isHistorySql: FragmentSqlToken = sql.fragment`(o.has_ended or o.fully_refunded)`;

export const orderColumns: FragmentSqlToken = columns(OrderRow, {
  alias: 'o',
  overrides: {
    requested_collection_at: instantOf,
    revised_ready_at: instantOf,
    ready_from: instantOf,
    ready_to: instantOf,
    created_at: instantOf,
    paid_at: instantOf,
    accepted_at: instantOf,
    preparing_at: instantOf,
    ready_at: instantOf,
    collected_at: instantOf,
    fulfilled_at: instantOf,
    cancelled_at: instantOf,
    uncollected_at: instantOf,
    customer_name: sql.fragment`(select c.name from contact c where c.customer_id = o.customer_id)`,
    // Not `exists`, of which the planner may make a hash of all disputed orders.
    disputed: sql.fragment`(o.disputed or coalesce((select m.disputed from orders m where m.id = o.parent_order_id), false))`,
    lines,
  },
});

const tendersOfOrder: FragmentSqlToken = sql.fragment`case when o.channel <> 'phone' then coalesce((
  select jsonb_agg(${tenderEntrySql(sql.fragment`t`)} order by t.id) from ledger t where t.order_id = o.id and t.tender is not null), (
  select jsonb_agg(${tenderEntrySql(sql.fragment`t`)} order by t.at, t.provider_ref)
  from part_payment p cross join lateral (values ('charge', 1, p.at), ('refund', -1, p.returned_at)) e(kind, sign, at)
    cross join lateral (select e.kind, p.provider_ref, p.tender, e.sign * p.amount_pence as amount_pence, p.given_pence, p.reference, e.at) t
  where p.order_id = o.id and e.at is not null), '[]') end`;

export const ReadOrder = OrderRow.extend({ tenders: z.array(TenderEntry).nullable() });

export const readColumns: FragmentSqlToken = sql.fragment`${orderColumns}, ${tendersOfOrder} as tenders`;

export const findOrder = (queries: Queries, storeId: string, orderId: string): Promise<z.output<typeof ReadOrder> | null> =>
  queries.maybeOne(
    sql.prepared('find-order', ReadOrder)`select ${readColumns} from orders o where o.id = ${orderId} and o.store_id = ${storeId}`,
  );

/** Reads an order that carries its own payment, of any store. */
export const findMainOrder = (queries: Queries, orderId: string): Promise<OrderRow | null> =>
  queries.maybeOne(sql.prepared('find-main-order', OrderRow)`
    select ${orderColumns} from orders o where o.id = ${orderId} and o.parent_order_id is null`);

export const findLegs = (queries: Queries, storeId: string, orderId: string): Promise<readonly OrderRow[]> =>
  queries.any(sql.prepared('find-legs', OrderRow)`
    select ${orderColumns} from orders o where o.parent_order_id = ${orderId} and o.store_id = ${storeId} order by o.order_number`);

/** Reads an order of any store by its id. Null also for a text that is not an id. */
export const findOrderById = async (queries: Queries, orderId: string): Promise<OrderRow | null> =>
  z.guid().safeParse(orderId).success
    ? await queries.maybeOne(sql.prepared('find-order-by-id', OrderRow)`select ${orderColumns} from orders o where o.id = ${orderId}`)
    : null;

/** Reads the order that an intent pays, of any store: the provider's events do not name the store. */
export const findOrderByIntent = (queries: Queries, intentId: string): Promise<OrderRow | null> =>
  queries.maybeOne(
    sql.prepared('find-order-by-intent', OrderRow)`select ${orderColumns} from orders o where o.payment_intent_id = ${intentId}`,
  );

/** An order with its legs. The main order carries the payment; legs are sorted by number; `named` is the one the caller named. */
export interface OrderFamily {
  readonly named: OrderRow;
  readonly main: OrderRow;
  readonly legs: readonly OrderRow[];
}

/**
 * Locks an order of a store with its whole family until the transaction ends. Every change that reads before it writes starts here, except
 * payment, which compares the version. The main order is locked first, so two callers starting from different legs cannot deadlock. Null when the store has no such order.
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

export const familyIds = ({ main, legs }: OrderFamily): readonly string[] => [main.id, ...legs.map(({ id }) => id)];
