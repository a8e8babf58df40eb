import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { TipEntry } from '../rules/sum-day.ts';

const TipList = z.object({
  day: z.string(),
  version: z.number(),
  shares: z.array(z.object({ key: z.string(), worker: z.string(), weight: z.number() })),
  entered_at: z.string(),
  entered_by_id: z.string(),
  entered_by_name: z.string().nullable(),
  proof: z.string(),
});
export type TipList = z.output<typeof TipList>;

const listColumns: FragmentSqlToken = sql.fragment`
  l.day::text as day, l.version, l.shares, ${instantOf(sql.fragment`l.entered_at`)} as entered_at, l.entered_by_id, l.entered_by_name, l.proof`;

/** Reads the latest list of each of the days. Days without one are absent. */
export const findTipLists = (queries: Queries, storeId: string, days: readonly string[]): Promise<readonly TipList[]> =>
  queries.any(sql.prepared('tip-lists', TipList)`
    select distinct on (l.day) ${listColumns} from tip_list l
    where l.store_id = ${storeId} and l.day = any(${sql.array([...days], 'date')}) order by l.day, l.version desc`);

export const findTipList = (queries: Queries, id: string): Promise<TipList | null> =>
  queries.maybeOne(sql.prepared('tip-list', TipList)`select ${listColumns} from tip_list l where l.id = ${id}`);

export type NewTipList = Omit<TipList, 'entered_at'> & { readonly id: string; readonly storeId: string };

/** Returns null when the version is taken, or the request has entered its list already. */
export const insertTipList = (tx: Transaction, list: NewTipList): Promise<TipList | null> =>
  tx.maybeOne(sql.prepared('insert-tip-list', TipList)`
    insert into tip_list as l (id, store_id, day, version, shares, entered_at, entered_by_id, entered_by_name, proof)
    values (${list.id}, ${list.storeId}, ${list.day}, ${list.version}, ${sql.jsonb(list.shares)}, ${tx.now.toISOString()},
      ${list.entered_by_id}, ${list.entered_by_name}, ${list.proof})
    on conflict do nothing returning ${listColumns}`);

const ClosedTips = z.object({ tips: z.custom<readonly TipEntry[]>(), proof: z.string().nullable() });

/** Reads the tips of a closed day, with the proof of the day; the proof is null for a moment until it is signed. Null for an open day. */
export const findClosedTips = (queries: Queries, storeId: string, day: string): Promise<z.output<typeof ClosedTips> | null> =>
  queries.maybeOne(sql.prepared('closed-tips', ClosedTips)`
    select d.tips, t.proof from day_report d left join day_statement t on t.store_id = d.store_id and t.day = d.day
    where d.store_id = ${storeId} and d.day = ${day}`);

/** Reads the days on which orders of a store were paid: the closed day that has the payment, or else its day in the store's time zone. */
export const findPaidDays = (queries: Queries, storeId: string, orderIds: readonly string[]) =>
  queries.any(sql.prepared('paid-days', z.object({ order_id: z.string(), day: z.string() }))`
    select p.order_id, coalesce(closed.day, greatest(p.day, last.day + 1))::text as day
    from store s
    cross join lateral (
      select l.order_id, min(l.at) as at, (min(l.at) at time zone s.time_zone)::date as day
      from ledger l where l.order_id = any(${sql.array([...orderIds], 'uuid')}) and l.kind = 'charge' group by l.order_id
    ) p
    left join lateral (select max(d.day) as day from day_report d where d.store_id = s.id) last on true
    left join lateral (
      select d.day from day_report d where d.store_id = s.id and d.day >= p.day - 2 and d.ends_at > p.at order by d.day limit 1
    ) closed on true
    where s.id = ${storeId}`);
