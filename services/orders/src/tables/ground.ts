import type { Database } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { instant, OrderRow } from './orders.ts';
import { SlotRow } from './slots.ts';

/** An order as placing it needs it: what its payment takes, what is answered, and the fingerprint it came with. */
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
  collection_code: true,
}).extend({ fingerprint: z.string(), store_name: z.string(), payment_customer: z.string().nullable() });
export type Placed = z.output<typeof Placed> & {
  /** Its legs, where they are known already. */
  readonly legs?: readonly OrderRow[];
};

const Store = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  time_zone: z.string(),
  connected_account_id: z.string().nullable(),
  fee_bps: z.number(),
  on_behalf_of: z.boolean(),
  hours: z.array(z.object({ day: z.number(), opens: z.string(), closes: z.string() })),
  live: z.boolean(),
});

const Item = z.object({
  id: z.string(),
  name: z.string(),
  price_pence: z.number(),
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

const Ground = z.object({
  store: Store.nullable(),
  items: z.array(Item),
  slots: z.array(SlotRow),
  promo: Promo.nullable(),
  has_paid_before: z.boolean(),
  payment_customer: z.string().nullable(),
  /** The order this key stands for already. */
  placed: Placed.nullable(),
});
export type Ground = z.output<typeof Ground>;

const placedUnder = (customerId: string, key: string) => sql.fragment`
  select o.id, o.store_id, o.customer_id, o.order_number, o.payment_status, o.business_status, o.currency, o.total_pence, o.refunded_pence,
    o.fully_refunded, o.application_fee_pence, o.connected_account_id, o.on_behalf_of, o.payment_intent_id, o.collection_code,
    encode(o.request_fingerprint, 'hex') as fingerprint, s.name as store_name,
    (select c.provider_id from payment_customer c where c.customer_id = o.customer_id) as payment_customer
  from orders o join store s on s.id = o.store_id
  where o.customer_id = ${customerId} and o.idempotency_key = ${key}`;

export interface Sought {
  readonly storeId: string;
  readonly customerId: string;
  readonly key: string;
  readonly itemIds: readonly string[];
  readonly slotIds: readonly string[];
  /** Times asked for instead of slots. */
  readonly collectAt: readonly string[];
  /** As {@link foldCode} has it. */
  readonly promoCode: string | null;
}

/** What placing an order stands on, in one statement: what was placed before, the store, items, slots, promo code, and the customer. */
export const readGround = (
  database: Database,
  { storeId, customerId, key, itemIds, slotIds, collectAt, promoCode }: Sought,
): Promise<Ground> =>
  database.one(sql.prepared('read-ground', Ground)`
    select
      (select to_jsonb(p) from (${placedUnder(customerId, key)}) p) as placed,
      (select jsonb_build_object('id', s.id, 'code', s.code, 'name', s.name, 'currency', s.currency, 'time_zone', s.time_zone,
        'connected_account_id', s.connected_account_id, 'fee_bps', s.fee_bps, 'on_behalf_of', s.on_behalf_of, 'hours', s.hours, 'live', s.live)
       from store s where s.id = ${storeId}) as store,
      coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name, 'price_pence', m.price_pence, 'prep_minutes', m.prep_minutes,
        'available', m.available, 'stock', m.stock)) from menu_item m where m.store_id = ${storeId} and m.id = any(${sql.array([...itemIds], 'text')})), '[]') as items,
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'starts_at', ${instant(sql.fragment`t.starts_at`)}, 'ends_at', ${instant(sql.fragment`t.ends_at`)},
        'capacity', t.capacity, 'used', t.used, 'open', t.open))
       from slot t where t.store_id = ${storeId} and (t.id = any(${sql.array([...slotIds], 'uuid')})
         or exists (select 1 from unnest(${sql.array([...collectAt], 'timestamptz')}) w(at) where w.at >= t.starts_at and w.at < t.ends_at))), '[]') as slots,
      (select jsonb_build_object('id', p.id, 'code', p.code, 'label', p.label, 'kind', p.kind, 'value', p.value, 'min_subtotal_pence', p.min_subtotal_pence,
        'starts_at', ${instant(sql.fragment`p.starts_at`)}, 'ends_at', ${instant(sql.fragment`p.ends_at`)}, 'first_order_only', p.first_order_only)
       from promo p where p.store_id = ${storeId} and p.code = ${promoCode} and p.active) as promo,
      (${promoCode}::text is not null and exists (
        select 1 from orders o where o.customer_id = ${customerId} and o.store_id = ${storeId} and o.paid_at is not null
          and o.is_first is not null)) as has_paid_before,
      (select c.provider_id from payment_customer c where c.customer_id = ${customerId}) as payment_customer`);

/** The order a customer's key stands for, if any. */
export const findPlaced = (database: Database, customerId: string, key: string): Promise<Placed | null> =>
  database.maybeOne(sql.prepared('find-placed', Placed)`${placedUnder(customerId, key)}`);
