import { columns, cursorKnownSql, instantOf, type LogQuery, logPageSql, type Queries, type Transaction } from '@corner/chassis';
import type { ChangedBy } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { StoreLogKind } from '../rules/switches.ts';
import { StoreRow, storeColumns } from './customer-reads.ts';

const SwitchedStore = StoreRow.extend({
  staff_pause_by_id: z.string().nullable(),
  staff_pause_by_name: z.string().nullable(),
  staff_pause_at: z.string().nullable(),
});
export type SwitchedStore = z.output<typeof SwitchedStore>;

const switchedStoreColumns: FragmentSqlToken = sql.fragment`
  ${storeColumns}, s.staff_pause_by_id, s.staff_pause_by_name, ${instantOf(sql.fragment`s.staff_pause_at`)} as staff_pause_at`;

export const findSwitchedStore = (queries: Queries, storeId: string): Promise<SwitchedStore | null> =>
  queries.maybeOne(sql.prepared('find-switched-store', SwitchedStore)`select ${switchedStoreColumns} from store s where s.id = ${storeId}`);

export const lockSwitchedStore = (tx: Transaction, storeId: string): Promise<SwitchedStore | null> =>
  tx.maybeOne(sql.prepared('lock-switched-store', SwitchedStore)`
    select ${switchedStoreColumns} from store s where s.id = ${storeId} for update of s`);

const SwitchedItem = z.object({
  id: z.string(),
  kind: z.enum(['item', 'choice']),
  /** For a choice, the names of the items that have it. */
  of: z.array(z.string()),
  name: z.string(),
  price_pence: z.number(),
  available: z.boolean(),
  stock: z.number().nullable(),
  taken: z.number(),
  sold_out: z.boolean(),
  sold_out_until: z.string().nullable(),
  left_by_staff: z.boolean(),
  directory_stock: z.number().nullable(),
  switched_by_id: z.string().nullable(),
  switched_by_name: z.string().nullable(),
  switched_at: z.string().nullable(),
});
export type SwitchedItem = z.output<typeof SwitchedItem>;

const itemColumns: FragmentSqlToken = columns(SwitchedItem, {
  alias: 'm',
  overrides: {
    sold_out_until: instantOf,
    switched_at: instantOf,
    of: sql.fragment`case when m.kind = 'item' then '[]' else coalesce((
      select jsonb_agg(i.name order by i.position) from menu_item i
      where i.store_id = m.store_id and i.kind = 'item' and i.available
        and i.options @> jsonb_build_array(jsonb_build_object('choices', jsonb_build_array(jsonb_build_object('id', m.id))))), '[]') end`,
  },
});

export const listSwitchedItems = (queries: Queries, storeId: string): Promise<readonly SwitchedItem[]> =>
  queries.any(sql.prepared('list-switched-items', SwitchedItem)`
    select ${itemColumns} from menu_item m where m.store_id = ${storeId} order by m.available desc, m.position, m.name, m.id`);

const Hours = z.object({
  hours: z.array(z.object({ day: z.number(), opens: z.string(), closes: z.string() })),
  time_zone: z.string(),
});

export const findHours = (queries: Queries, storeId: string): Promise<z.output<typeof Hours> | null> =>
  queries.maybeOne(sql.prepared('find-hours', Hours)`select hours, time_zone from store where id = ${storeId}`);

/** Locks an item of a store and returns it, as placing an order does. Null when the store has no such item. */
export const lockSwitchedItem = (tx: Transaction, storeId: string, itemId: string): Promise<SwitchedItem | null> =>
  tx.maybeOne(sql.prepared('lock-switched-item', SwitchedItem)`
    select ${itemColumns} from menu_item m where m.store_id = ${storeId} and m.id = ${itemId} for update`);

export interface SwitchChange {
  readonly storeId: string;
  readonly by: ChangedBy;
  readonly at: Date;
}

type Counted<T> = T & { readonly switches: number };

const CountedItem = SwitchedItem.extend({ switches: z.number() });

/**
 * Writes the switches of a locked item with their log rows, and counts the change. The item is locked before the store, as when an order
 * is placed.
 */
export const saveItemSwitches = (
  tx: Transaction,
  { storeId, by, at }: SwitchChange,
  item: SwitchedItem,
  kinds: readonly StoreLogKind[],
): Promise<Counted<SwitchedItem>> =>
  tx.one(sql.prepared('save-item-switches', CountedItem)`
    with switched as (
      update menu_item
      set sold_out = ${item.sold_out}, sold_out_until = ${item.sold_out_until}, stock = ${item.stock}, left_by_staff = ${item.left_by_staff},
        directory_stock = ${item.directory_stock}, switched_by_id = ${by.id}, switched_by_name = ${by.name}, switched_at = ${at.toISOString()}
      where store_id = ${storeId} and id = ${item.id}
      returning *
    ), logged as (
      insert into store_log_entry (store_id, at, kind, by_id, by_name, menu_item_id, item_name, until, units_left)
      select m.store_id, m.switched_at, k.kind, m.switched_by_id, m.switched_by_name, m.id, m.name,
        case when k.kind = 'marked_sold_out' then m.sold_out_until end, case when k.kind = 'left_set' then m.stock - m.taken end
      from switched m, unnest(${sql.array([...kinds], 'text')}) with ordinality as k(kind, n) order by k.n
    ), counted as (
      update store set switches = switches + 1 where id = ${storeId} returning switches
    )
    select ${itemColumns}, counted.switches from switched m, counted`);

const CountedStore = SwitchedStore.extend({ switches: z.number() });

export const savePause = (
  tx: Transaction,
  { storeId, by, at }: SwitchChange,
  pause: { readonly paused: boolean; readonly until: string | null },
): Promise<Counted<SwitchedStore>> =>
  tx.one(sql.prepared('save-pause', CountedStore)`
    with logged as (
      insert into store_log_entry (store_id, at, kind, by_id, by_name, until)
      values (${storeId}, ${at.toISOString()}, ${pause.paused ? 'paused' : 'resumed'}, ${by.id}, ${by.name}, ${pause.until})
    )
    update store s
    set switches = switches + 1, staff_pause = ${pause.paused}, staff_pause_until = ${pause.until}, staff_pause_by_id = ${by.id},
      staff_pause_by_name = ${by.name}, staff_pause_at = ${at.toISOString()}
    where s.id = ${storeId} returning ${switchedStoreColumns}, s.switches`);

const LogRow = z.object({
  id: z.number(),
  at: z.string(),
  kind: z.custom<StoreLogKind>((kind) => typeof kind === 'string'),
  by_id: z.string(),
  by_name: z.string().nullable(),
  menu_item_id: z.string().nullable(),
  item_name: z.string().nullable(),
  until: z.string().nullable(),
  units_left: z.number().nullable(),
  amount_pence: z.number().nullable(),
  difference_pence: z.number().nullable(),
});

const LogPage = z.object({ time_zone: z.string(), currency: z.string(), cursor_known: z.boolean(), rows: z.array(LogRow) });

/** Reads a page of a store's log, newest first. `cursor_known` is false when the store has no row `before`. Null for an unknown store. */
export const readStoreLog = (queries: Queries, query: LogQuery): Promise<z.output<typeof LogPage> | null> =>
  queries.maybeOne(sql.prepared('read-store-log', LogPage)`
    select s.time_zone, s.currency,
      ${cursorKnownSql('store_log_entry', query)} as cursor_known,
      coalesce((select jsonb_agg(to_jsonb(page) order by page.at desc, page.id desc) from (
        select ${columns(LogRow, { alias: 'l', overrides: { at: instantOf, until: instantOf } })}
        from store_log_entry l
        ${logPageSql('store_log_entry', query)}
      ) page), '[]') as rows
    from store s where s.id = ${query.storeId}`);
