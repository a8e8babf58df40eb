import { columns, instantOf, type Queries } from '@corner/chassis';
import { allergens, diets, Position, PostalAddress } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { PageBound } from '../../order/rules/paging.ts';
import { OrderRow, orderColumns } from '../../order/tables/orders.ts';
import { ReadyTimesRow } from '../../ready-times/index.ts';
import type { Pace } from '../rules/slots.ts';
import { MenuOption, SlotRow, slotColumns, VatByPlace } from './rows.ts';

export const StoreRow = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  time_zone: z.string(),
  live: z.boolean(),
  connected_account_id: z.string().nullable(),
  account_restricted: z.boolean(),
  hours: z.array(z.object({ day: z.number(), opens: z.string(), closes: z.string() })),
  closures: z.array(z.object({ starts_at: z.string(), ends_at: z.string() })),
  paused_until: z.string().nullable(),
  staff_pause: z.boolean(),
  staff_pause_until: z.string().nullable(),
  address: PostalAddress.nullable(),
  phone: z.string().nullable(),
  position: Position.nullable(),
  pace: z.custom<Pace>().nullable(),
});
export type StoreRow = z.output<typeof StoreRow>;

const accountIsRestricted = sql.fragment`not coalesce(
  (select a.accepts_orders from store_account a where a.store_id = s.id and a.account_id = s.connected_account_id), true)`;

export const storeColumns: FragmentSqlToken = columns(StoreRow, {
  alias: 's',
  overrides: {
    account_restricted: accountIsRestricted,
    paused_until: instantOf,
    staff_pause_until: instantOf,
  },
});

const liveStoresSql = (condition: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  select ${storeColumns} from store s where s.live and ${condition}`;

const leastId = '00000000-0000-0000-0000-000000000000';

/** Reads the public live stores by id, after one. A store that anyone may have created is public once its account accepts orders. */
export const listListedStores = (queries: Queries, after: string | undefined, limit: number): Promise<readonly StoreRow[]> =>
  queries.any(sql.prepared('list-listed-stores', StoreRow)`
    ${liveStoresSql(sql.fragment`s.id > ${after ?? leastId} and (not s.listed_with_account or coalesce(
      (select a.accepts_orders from store_account a where a.store_id = s.id and a.account_id = s.connected_account_id), false))`)}
    order by s.id limit ${limit}`);

export const findStoresByCode = (queries: Queries, code: string, after: string | undefined, limit: number): Promise<readonly StoreRow[]> =>
  queries.any(sql.prepared('find-stores-by-code', StoreRow)`
    ${liveStoresSql(sql.fragment`upper(s.code) = upper(${code}) and s.id > ${after ?? leastId}`)} order by s.id limit ${limit}`);

const OfferedItem = z.object({
  id: z.string(),
  kind: z.enum(['item', 'choice']),
  name: z.string(),
  price_pence: z.number(),
  prep_minutes: z.number(),
  sold_out: z.boolean(),
  sold_out_until: z.string().nullable(),
  stock: z.number().nullable(),
  taken: z.number(),
  category: z.string().nullable(),
  description: z.string().nullable(),
  image_url: z.string().nullable(),
  allergens: z.array(z.enum(allergens)).nullable(),
  diet: z.array(z.enum(diets)),
  options: z.array(MenuOption),
  vat: VatByPlace.nullable(),
});
export type OfferedItem = z.output<typeof OfferedItem>;
const offeredColumns = columns(OfferedItem, { overrides: { sold_out_until: instantOf } });

export const findLiveStore = (queries: Queries, storeId: string): Promise<StoreRow | null> =>
  queries.maybeOne(sql.prepared('find-live-store', StoreRow)`${liveStoresSql(sql.fragment`s.id = ${storeId}`)}`);

const openSlotsSql = (storeId: string): FragmentSqlToken => sql.fragment`
  t.store_id = ${storeId} and t.open
  and not exists (
    select from jsonb_to_recordset((select closures from store where id = ${storeId})) as c(starts_at timestamptz, ends_at timestamptz)
    where c.starts_at < t.ends_at and c.ends_at > t.starts_at)`;

const StoreOfMenuRow = StoreRow.extend({ has_slots: z.boolean(), ready_times: ReadyTimesRow.nullable() });

/** Reads a live store, and whether it has an open slot that is not over, full or not; null when there is none. */
export const findStoreOfMenu = (queries: Queries, storeId: string, at: string): Promise<z.output<typeof StoreOfMenuRow> | null> =>
  queries.maybeOne(sql.prepared('find-store-of-menu', StoreOfMenuRow)`
    select ${storeColumns},
      exists (select from slot t where ${openSlotsSql(storeId)} and t.ends_at > ${at}::timestamptz) as has_slots,
      (select to_jsonb(r) from ready_times r where r.store_id = s.id) as ready_times
    from store s where s.live and s.id = ${storeId}`);

export const listOfferedItems = (queries: Queries, storeId: string): Promise<readonly OfferedItem[]> =>
  queries.any(sql.prepared('list-offered-items', OfferedItem)`
    select ${offeredColumns} from menu_item where store_id = ${storeId} and available order by position, name, id`);

/** Reads the open slots of a store with a free place, outside its closures, that end at an instant or later; earliest first. */
export const listFreeSlots = (queries: Queries, storeId: string, from: string, limit: number): Promise<readonly SlotRow[]> =>
  queries.any(sql.prepared('list-free-slots', SlotRow)`
    select ${slotColumns}
    from slot t
    where ${openSlotsSql(storeId)} and t.ends_at >= ${from}::timestamptz and (t.capacity is null or t.used < t.capacity)
    order by t.ends_at, t.starts_at, t.id
    limit ${limit}`);

const Leg = OrderRow.pick({
  id: true,
  order_number: true,
  order_type: true,
  collection_code: true,
  fulfilment_status: true,
  prep_minutes: true,
  requested_collection_at: true,
  total_pence: true,
});

const CustomerOrderRow = OrderRow.extend({ store_name: z.string(), legs: z.array(Leg) });
export type CustomerOrderRow = z.output<typeof CustomerOrderRow>;

const legs = sql.fragment`(
  select coalesce(jsonb_agg(to_jsonb(leg) order by leg.order_number), '[]') from (
    select ${columns(Leg, { alias: 'l', overrides: { requested_collection_at: instantOf } })} from orders l where l.parent_order_id = o.id
  ) leg)`;

export const listCustomerOrders = (
  queries: Queries,
  customerId: string,
  limit: number,
  { at, id }: PageBound,
): Promise<readonly CustomerOrderRow[]> =>
  queries.any(sql.prepared('list-customer-orders', CustomerOrderRow)`
    select ${orderColumns}, s.name as store_name, ${legs} as legs
    from orders o join store s on s.id = o.store_id
    where o.customer_id = ${customerId} and o.parent_order_id is null and (o.created_at, o.id) < (${at}::timestamptz, ${id}::uuid)
    order by o.created_at desc, o.id desc
    limit ${limit}`);

export const findCustomerOrder = (queries: Queries, customerId: string, orderId: string): Promise<CustomerOrderRow | null> =>
  queries.maybeOne(sql.prepared('find-customer-order', CustomerOrderRow)`
    select ${orderColumns}, s.name as store_name, ${legs} as legs
    from orders o join store s on s.id = o.store_id
    where o.id = (select coalesce(n.parent_order_id, n.id) from orders n where n.id = ${orderId}) and o.customer_id = ${customerId}`);
