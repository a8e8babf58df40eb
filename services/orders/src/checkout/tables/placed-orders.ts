import { columns, type Database, instantOf, type Queries } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { writeCustomerSql } from '../../order/tables/holds.ts';
import { OrderRow } from '../../order/tables/orders.ts';
import type { PayableLeg } from '../../payment/index.ts';
import type { ProviderPurpose } from '../../provider/rules.ts';
import { customerReference, ProviderCall } from '../../provider/tables.ts';

export const PlacedOrder = OrderRow.pick({
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
  payment_mode: true,
  on_behalf_of: true,
  payment_intent_id: true,
  voucher_id: true,
  collection_code: true,
  created_at: true,
  holds_released: true,
  requested_collection_at: true,
}).extend({
  fingerprint: z.string().nullable(),
});
export type PlacedOrder = z.output<typeof PlacedOrder> & {
  readonly legs?: readonly PayableLeg[];
};

export const placedOrderColumns: FragmentSqlToken = columns(PlacedOrder, {
  alias: 'o',
  overrides: {
    created_at: instantOf,
    requested_collection_at: instantOf,
    fingerprint: sql.fragment`encode(o.request_fingerprint, 'hex')`,
  },
});

export const OrderToPrepare = PlacedOrder.extend({
  store_name: z.string(),
  delayed_payment_methods: z.boolean(),
  payment_customer: z.string().nullable(),
  customer_call: ProviderCall.nullable(),
  intent_call: ProviderCall.nullable(),
  key_call: ProviderCall.nullable(),
});
export type OrderToPrepare = z.output<typeof OrderToPrepare> & Pick<PlacedOrder, 'legs'>;

export const latestCallSql = (purpose: ProviderPurpose, reference: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select to_jsonb(c) from provider_call c where c.purpose = ${purpose} and c.reference = ${reference} order by c.attempt desc limit 1)`;

export const customerAtProviderSql = (customerId: FragmentSqlToken, mode: ProviderMode): FragmentSqlToken =>
  sql.fragment`(select k.provider_id from payment_customer k where k.customer_id = ${customerId} and coalesce(k.mode, ${mode}) = ${mode})`;

export const columnsToPrepare = (mode: ProviderMode): FragmentSqlToken => sql.fragment`${placedOrderColumns},
  (select s.name from store s where s.id = o.store_id) as store_name,
  (select s.delayed_payment_methods from store s where s.id = o.store_id) as delayed_payment_methods,
  ${customerAtProviderSql(sql.fragment`o.customer_id`, mode)} as payment_customer,
  ${latestCallSql('customer', sql.fragment`o.customer_id::text || ${customerReference('', mode)}`)} as customer_call,
  ${latestCallSql('intent', sql.fragment`o.id::text`)} as intent_call,
  ${latestCallSql('ephemeral_key', sql.fragment`o.id::text`)} as key_call`;

/** The key of an order. A sale's id derives from its key; its customer may have changed since. */
export interface PlacedUnder {
  readonly customerId: string;
  readonly key: string;
  readonly orderId: string;
}

export const findOrderToPrepare = (
  database: Database,
  { customerId, key, orderId }: PlacedUnder,
  mode: ProviderMode,
): Promise<OrderToPrepare | null> =>
  database.maybeOne(sql.prepared('find-placed', OrderToPrepare)`
    select ${columnsToPrepare(mode)} from orders o
    where (o.customer_id = ${customerId} and o.idempotency_key = ${key}) or (o.id = ${orderId} and o.channel <> 'phone')`);

export const readOrderToPrepare = (database: Database, orderId: string, mode: ProviderMode): Promise<OrderToPrepare> =>
  database.one(sql.prepared('read-placed', OrderToPrepare)`select ${columnsToPrepare(mode)} from orders o where o.id = ${orderId}`);

export interface PreparedIntent {
  readonly orderId: string;
  readonly intentId: string;
  readonly attempt: number;
  readonly customerId: string;
  readonly mode: ProviderMode;
  readonly providerId: string;
  readonly at: Date;
}

const Recorded = z.object({ id: z.string() });

/**
 * Stores the intent of an unpaid order and the customer's id at the provider, and that both were created. Returns false, having stored at
 * most the customer, when the order has an intent, has ended, or holds nothing because another request gave up on it. The conditions hide
 * their columns in `coalesce`: otherwise a plan would read every order without an intent by the index of intents, or by the index of
 * unpaid orders every one that was unpaid at the last vacuum.
 */
export const recordIntent = async (
  queries: Queries,
  { orderId, intentId, attempt, customerId, mode, providerId, at }: PreparedIntent,
): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('record-intent', Recorded)`
    with recorded as (
      update orders set payment_intent_id = ${intentId}
      where id = ${orderId} and coalesce(payment_intent_id, '') = '' and not holds_released and coalesce(payment_status, '') = 'pending_payment'
      returning id
    ), customer_recorded as (
      ${writeCustomerSql({ customerId, mode, providerId })}
    ), calls_done as (
      update provider_call c
      set state = 'done', ended_at = ${at.toISOString()}, provider_id = case c.purpose when 'intent' then ${intentId} else ${providerId} end
      from recorded
      where c.state <> 'done' and ((c.purpose = 'intent' and c.reference = ${orderId} and c.attempt = ${attempt})
        or (c.purpose = 'customer' and c.reference = ${customerReference(customerId, mode)} and c.state = 'requested'))
    )
    select id from recorded`)) !== null;
