import { instantOf, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { SlotRow } from './slots.ts';

/** A store as apps show it, and what decides whether it takes orders. */
const StoreRow = z.object({
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
});
export type StoreRow = z.output<typeof StoreRow>;

const storesWhere = (condition: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  select s.id, s.code, s.name, s.currency, s.time_zone, s.live, s.connected_account_id,
    not coalesce((select a.accepts_orders from store_account a where a.store_id = s.id and a.account_id = s.connected_account_id), true) as account_restricted,
    s.hours, s.closures, ${instantOf(sql.fragment`s.paused_until`)} as paused_until
  from store s where s.live and ${condition}`;

/** The least UUID: the id of every store is above it. */
const leastId = '00000000-0000-0000-0000-000000000000';

/** Reads the stores that are live, by id, after one. */
export const listLiveStores = (queries: Queries, after: string | undefined, limit: number): Promise<readonly StoreRow[]> =>
  queries.any(
    sql.prepared('list-live-stores', StoreRow)`${storesWhere(sql.fragment`s.id > ${after ?? leastId}`)} order by s.id limit ${limit}`,
  );

/** Reads the stores of a public code that are live, by id, after one. The case of the code does not matter. */
export const findStoresByCode = (queries: Queries, code: string, after: string | undefined, limit: number): Promise<readonly StoreRow[]> =>
  queries.any(sql.prepared('find-stores-by-code', StoreRow)`
    ${storesWhere(sql.fragment`upper(s.code) = upper(${code}) and s.id > ${after ?? leastId}`)} order by s.id limit ${limit}`);

const OfferedItem = z.object({
  id: z.string(),
  name: z.string(),
  price_pence: z.number(),
  prep_minutes: z.number(),
  sold_out: z.boolean(),
});

/** Reads a store that is live; null when there is none. */
export const findLiveStore = (queries: Queries, storeId: string): Promise<StoreRow | null> =>
  queries.maybeOne(sql.prepared('find-live-store', StoreRow)`${storesWhere(sql.fragment`s.id = ${storeId}`)}`);

/** Reads the items that a store offers, sorted by name. */
export const listOfferedItems = (queries: Queries, storeId: string): Promise<readonly z.output<typeof OfferedItem>[]> =>
  queries.any(sql.prepared('list-offered-items', OfferedItem)`
    select id, name, price_pence, prep_minutes, coalesce(taken >= stock, false) as sold_out
    from menu_item where store_id = ${storeId} and available order by name, id`);

/**
 * Reads the open slots of a store with a free place, and outside its closures, that end at an instant or later; the earliest first.
 */
export const listFreeSlots = (queries: Queries, storeId: string, from: string, limit: number): Promise<readonly SlotRow[]> =>
  queries.any(sql.prepared('list-free-slots', SlotRow)`
    select t.id, ${instantOf(sql.fragment`t.starts_at`)} as starts_at, ${instantOf(sql.fragment`t.ends_at`)} as ends_at, t.capacity, t.used, t.open
    from slot t
    where t.store_id = ${storeId} and t.ends_at >= ${from}::timestamptz and t.open and (t.capacity is null or t.used < t.capacity)
      and not exists (
        select from jsonb_to_recordset((select closures from store where id = ${storeId})) as c(starts_at timestamptz, ends_at timestamptz)
        where c.starts_at < t.ends_at and c.ends_at > t.starts_at)
    order by t.ends_at, t.starts_at, t.id
    limit ${limit}`);
