import { columns, type Database, instantOf } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { customerReference, ProviderCall } from '../../provider/tables.ts';
import { MenuOption, type PacedStore, SlotRow, VatByPlace } from '../../shop/index.ts';
import { columnsToPrepare, customerAtProviderSql, latestCallSql, OrderToPrepare } from './placed-orders.ts';

const Store = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  time_zone: z.string(),
  connected_account_id: z.string().nullable(),
  account_restricted: z.boolean(),
  fee_bps: z.number(),
  on_behalf_of: z.boolean(),
  delayed_payment_methods: z.boolean(),
  hours: z.array(z.object({ day: z.number(), opens: z.string(), closes: z.string() })),
  closures: z.array(z.object({ starts_at: z.string(), ends_at: z.string() })),
  paused_until: z.string().nullable(),
  staff_pause: z.boolean(),
  staff_pause_until: z.string().nullable(),
  switches: z.number(),
  live: z.boolean(),
  pace: z.custom<NonNullable<PacedStore['pace']>>().nullable(),
});
const storeColumns = columns(Store, {
  alias: 's',
  overrides: {
    account_restricted: sql.fragment`not coalesce(a.accepts_orders, true)`,
    paused_until: instantOf,
    staff_pause_until: instantOf,
  },
});

const Item = z.object({
  id: z.string(),
  kind: z.enum(['item', 'choice']),
  name: z.string(),
  price_pence: z.number(),
  vat_rate_bps: z.number().nullable(),
  vat: VatByPlace.nullable(),
  prep_minutes: z.number(),
  available: z.boolean(),
  stock: z.number().nullable(),
  taken: z.number(),
  sold_out: z.boolean(),
  sold_out_until: z.string().nullable(),
  options: z.array(MenuOption),
  make_minutes: z.number().nullable(),
});
const itemColumns = columns(Item, { alias: 'm', overrides: { sold_out_until: instantOf } });

const slotColumns = columns(SlotRow, { overrides: { starts_at: instantOf, ends_at: instantOf } });

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
const promoColumns = columns(Promo, { overrides: { starts_at: instantOf, ends_at: instantOf } });

const CheckoutData = z.object({
  store: Store.nullable(),
  items: z.array(Item),
  slots: z.array(SlotRow),
  promo: Promo.nullable(),
  has_paid_before: z.boolean(),
  is_proven: z.boolean(),
  device_used_first_order_code: z.boolean(),
  payment_customer: z.string().nullable(),
  customer_call: ProviderCall.nullable(),
  placed: OrderToPrepare.nullable(),
});
export type CheckoutData = z.output<typeof CheckoutData>;

/** Whether a customer has paid before is read from this many latest orders. */
const ordersLookedAt = 50;

export interface CheckoutQuery {
  readonly storeId: string;
  readonly customerId: string;
  readonly key: string;
  readonly itemIds: readonly string[];
  readonly slotIds: readonly string[];
  readonly collectAt: readonly string[];
  readonly promoCode: string | null;
  readonly deviceHash: string | null;
  readonly mode: ProviderMode;
}

/**
 * Reads all that placing an order depends on, in one statement: an order placed before under the same key, the store, the items, slots and
 * promo code of the basket, and the customer. Whether the customer has paid at the store before, and what the device has used, is only
 * read for a promo code: no other decision needs it. Whether the customer has paid anywhere is read from the latest orders, so that many
 * that were never paid cost nothing. Slots are those that were named, and those that contain a requested time: each of these, and each
 * item, is looked up alone, hence the offset.
 */
export const readCheckoutData = (database: Database, query: CheckoutQuery): Promise<CheckoutData> => {
  const { storeId, customerId, key, itemIds, slotIds, collectAt, promoCode, deviceHash, mode } = query;
  return database.one(sql.prepared('read-checkout-data', CheckoutData)`
    select
      (
        select to_jsonb(placed) from (
          select ${columnsToPrepare(mode)} from orders o where o.customer_id = ${customerId} and o.idempotency_key = ${key}
        ) placed
      ) as placed,
      (
        select to_jsonb(store) from (
          select ${storeColumns} from store s left join store_account a on a.store_id = s.id and a.account_id = s.connected_account_id
          where s.id = ${storeId}
        ) store
      ) as store,
      (
        select coalesce(jsonb_agg(to_jsonb(item)), '[]') from (
          select ${itemColumns}
          from unnest(${sql.array([...new Set(itemIds)], 'text')}) wanted(id),
            lateral (select * from menu_item where store_id = ${storeId} and id = wanted.id offset 0) m
        ) item
      ) as items,
      (
        select coalesce(jsonb_agg(to_jsonb(slot)), '[]') from (
          select ${slotColumns} from (
            select named.* from unnest(${sql.array([...slotIds], 'uuid')}) wanted(id),
              lateral (select * from slot where store_id = ${storeId} and id = wanted.id offset 0) named
            union
            select around.* from unnest(${sql.array([...collectAt], 'timestamptz')}) wanted(at),
              lateral (select * from slot where store_id = ${storeId} and ends_at > wanted.at and starts_at <= wanted.at offset 0) around
          ) found
        ) slot
      ) as slots,
      (
        select to_jsonb(promo) from (
          select ${promoColumns} from promo where store_id = ${storeId} and code = ${promoCode} and active
        ) promo
      ) as promo,
      ${promoCode}::text is not null and exists (
        select from orders where customer_id = ${customerId} and store_id = ${storeId} and is_first
      ) as has_paid_before,
      exists (
        select from (
          select payment_status, total_pence from orders where customer_id = ${customerId} and parent_order_id is null
          order by created_at desc, id desc limit ${ordersLookedAt}
        ) latest
        where payment_status = 'paid' and total_pence > 0
      ) as is_proven,
      ${promoCode}::text is not null and device_used_first_order_code(${storeId}, decode(${deviceHash}, 'hex'), ${customerId})
        as device_used_first_order_code,
      ${customerAtProviderSql(sql.fragment`${customerId}`, mode)} as payment_customer,
      ${latestCallSql('customer', sql.fragment`${customerReference(customerId, mode)}`)} as customer_call`);
};
