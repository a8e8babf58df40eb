import { type Database, instantOf } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ViewedLeg } from '../../order/rules/order-view.ts';
import { OrderRow } from '../../order/tables/orders.ts';
import { latestCallJson, ProviderCall } from '../../provider/tables.ts';
import { SlotRow } from '../../shop/index.ts';

/** An order as createOrder handles it: the inputs of its payment intent, the fields of the response, and the request's fingerprint. */
export const Placed = OrderRow.pick({
  id: true,
  store_id: true,
  customer_id: true,
  order_number: true,
  payment_status: true,
  business_status: true,
  currency: true,
  total_pence: true,
  refunded_pence: true,
  fully_refunded: true,
  application_fee_pence: true,
  connected_account_id: true,
  on_behalf_of: true,
  payment_intent_id: true,
  voucher_id: true,
  collection_code: true,
  created_at: true,
}).extend({
  fingerprint: z.string(),
  store_name: z.string(),
  /** Whether it holds nothing at the moment, because its payment could not be prepared. */
  holds_released: z.boolean(),
  /** The customer's id at the provider; null before the first payment. */
  payment_customer: z.string().nullable(),
  /** The latest stored attempts to have the provider create the customer, the intent, and a key for the payment sheet. */
  customer_call: ProviderCall.nullable(),
  intent_call: ProviderCall.nullable(),
  key_call: ProviderCall.nullable(),
});
export type Placed = z.output<typeof Placed> & {
  /** Its legs, when it was paid as it was placed. */
  readonly legs?: readonly ViewedLeg[];
};

const Store = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  time_zone: z.string(),
  connected_account_id: z.string().nullable(),
  /** Whether the provider restricts the account. False for an account that was never looked at. */
  account_restricted: z.boolean(),
  fee_bps: z.number(),
  on_behalf_of: z.boolean(),
  hours: z.array(z.object({ day: z.number(), opens: z.string(), closes: z.string() })),
  closures: z.array(z.object({ starts_at: z.string(), ends_at: z.string() })),
  paused_until: z.string().nullable(),
  live: z.boolean(),
});

const Item = z.object({
  id: z.string(),
  name: z.string(),
  price_pence: z.number(),
  vat_rate_bps: z.number().nullable(),
  prep_minutes: z.number(),
  available: z.boolean(),
  stock: z.number().nullable(),
});

const Promo = z.object({
  id: z.string(),
  code: z.string(),
  label: z.string().nullable(),
  kind: z.enum(['percent', 'amount']),
  value: z.number(),
  min_subtotal_pence: z.number(),
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  first_order_only: z.boolean(),
});

const CheckoutData = z.object({
  store: Store.nullable(),
  items: z.array(Item),
  slots: z.array(SlotRow),
  promo: Promo.nullable(),
  has_paid_before: z.boolean(),
  payment_customer: z.string().nullable(),
  customer_call: ProviderCall.nullable(),
  /** The order that was placed under this key before; null when there is none. */
  placed: Placed.nullable(),
});
export type CheckoutData = z.output<typeof CheckoutData>;

const placedWhere = (condition: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  select o.id, o.store_id, o.customer_id, o.order_number, o.payment_status, o.business_status, o.currency, o.total_pence, o.refunded_pence,
    o.fully_refunded, o.application_fee_pence, o.connected_account_id, o.on_behalf_of, o.payment_intent_id, o.voucher_id,
    o.collection_code, ${instantOf(sql.fragment`o.created_at`)} as created_at, o.holds_released, encode(o.request_fingerprint, 'hex') as fingerprint, s.name as store_name,
    (select c.provider_id from payment_customer c where c.customer_id = o.customer_id) as payment_customer,
    ${latestCallJson('customer', sql.fragment`o.customer_id::text`)} as customer_call,
    ${latestCallJson('intent', sql.fragment`o.id::text`)} as intent_call,
    ${latestCallJson('ephemeral_key', sql.fragment`o.id::text`)} as key_call
  from orders o join store s on s.id = o.store_id
  where ${condition}`;

const underKey = (customerId: string, key: string) =>
  placedWhere(sql.fragment`o.customer_id = ${customerId} and o.idempotency_key = ${key}`);

export interface CheckoutQuery {
  readonly storeId: string;
  readonly customerId: string;
  readonly key: string;
  readonly itemIds: readonly string[];
  readonly slotIds: readonly string[];
  /** Collection times requested instead of slots, ISO 8601. */
  readonly collectAt: readonly string[];
  /** Normalised: trimmed, upper case. */
  readonly promoCode: string | null;
}

/**
 * Reads all that placing an order depends on, in one statement: an order placed before under the same key, the store, the items, slots
 * and promo code of the basket, and the customer.
 */
export const readCheckoutData = (database: Database, query: CheckoutQuery): Promise<CheckoutData> =>
  database.one(sql.prepared('read-checkout-data', CheckoutData)`
    select
      (select to_jsonb(p) from (${underKey(query.customerId, query.key)}) p) as placed,
      (${storeJson(query.storeId)}) as store,
      (${itemsJson(query)}) as items,
      (${slotsJson(query)}) as slots,
      (${promoJson(query)}) as promo,
      (${hasPaidBefore(query)}) as has_paid_before,
      (select c.provider_id from payment_customer c where c.customer_id = ${query.customerId}) as payment_customer,
      ${latestCallJson('customer', sql.fragment`${query.customerId}::text`)} as customer_call`);

const storeJson = (storeId: string): FragmentSqlToken => sql.fragment`
  select jsonb_build_object('id', s.id, 'code', s.code, 'name', s.name, 'currency', s.currency, 'time_zone', s.time_zone,
    'connected_account_id', s.connected_account_id, 'account_restricted', not coalesce(a.accepts_orders, true), 'fee_bps', s.fee_bps, 'on_behalf_of', s.on_behalf_of, 'hours', s.hours, 'live', s.live, 'closures', s.closures,
    'paused_until', ${instantOf(sql.fragment`s.paused_until`)})
  from store s left join store_account a on a.store_id = s.id and a.account_id = s.connected_account_id
  where s.id = ${storeId}`;

const itemsJson = ({ storeId, itemIds }: CheckoutQuery): FragmentSqlToken => sql.fragment`
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name, 'price_pence', m.price_pence, 'vat_rate_bps', m.vat_rate_bps, 'prep_minutes', m.prep_minutes,
    'available', m.available, 'stock', m.stock)), '[]')
  from menu_item m where m.store_id = ${storeId} and m.id = any(${sql.array([...itemIds], 'text')})`;

/** The slots that were named, and those that contain a requested time: each looked up by itself, hence the offset. */
const slotsJson = ({ storeId, slotIds, collectAt }: CheckoutQuery): FragmentSqlToken => sql.fragment`
  select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'starts_at', ${instantOf(sql.fragment`t.starts_at`)},
    'ends_at', ${instantOf(sql.fragment`t.ends_at`)}, 'capacity', t.capacity, 'used', t.used, 'open', t.open)), '[]')
  from (
    select * from slot where store_id = ${storeId} and id = any(${sql.array([...slotIds], 'uuid')})
    union
    select around.* from unnest(${sql.array([...collectAt], 'timestamptz')}) w(at),
      lateral (select * from slot where store_id = ${storeId} and ends_at > w.at and starts_at <= w.at offset 0) around
  ) t`;

const promoJson = ({ storeId, promoCode }: CheckoutQuery): FragmentSqlToken => sql.fragment`
  select jsonb_build_object('id', p.id, 'code', p.code, 'label', p.label, 'kind', p.kind, 'value', p.value,
    'min_subtotal_pence', p.min_subtotal_pence, 'starts_at', ${instantOf(sql.fragment`p.starts_at`)},
    'ends_at', ${instantOf(sql.fragment`p.ends_at`)}, 'first_order_only', p.first_order_only)
  from promo p where p.store_id = ${storeId} and p.code = ${promoCode} and p.active`;

/** Only read for a promo code: no other decision needs it. */
const hasPaidBefore = ({ storeId, customerId, promoCode }: CheckoutQuery): FragmentSqlToken => sql.fragment`
  select ${promoCode}::text is not null and exists (
    select from orders o where o.customer_id = ${customerId} and o.store_id = ${storeId} and o.is_first)`;

/** Reads the order placed under a customer's key; null when there is none. */
export const findPlaced = (database: Database, customerId: string, key: string): Promise<Placed | null> =>
  database.maybeOne(sql.prepared('find-placed', Placed)`${underKey(customerId, key)}`);

/** Reads a placed order. */
export const readPlaced = (database: Database, orderId: string): Promise<Placed> =>
  database.one(sql.prepared('read-placed', Placed)`${placedWhere(sql.fragment`o.id = ${orderId}`)}`);
