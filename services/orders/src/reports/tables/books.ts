import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import { BookRow, type ReportItem } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { DayFigures } from '../rules/figures.ts';
import type { TipEntry } from '../rules/sum-day.ts';
import { accountSql } from './closed-days.ts';

const UnprovenDay = z.object({
  store_id: z.string(),
  store: z.string(),
  currency: z.string(),
  day: z.string(),
  number: z.number(),
  begins_at: z.string(),
  ends_at: z.string(),
  /** The proof of the previous day in the chain; null for the first one. */
  before: z.string().nullable(),
});
export type UnprovenDay = z.output<typeof UnprovenDay>;

export const findUnprovenDays = (queries: Queries, after: string): Promise<readonly UnprovenDay[]> =>
  queries.any(sql.prepared('unproven-days', UnprovenDay)`
    select s.id as store_id, s.code as store, s.currency, next.day::text as day, coalesce(last.number, 0) + 1 as number,
      ${instantOf(sql.fragment`coalesce(last.ends_at, next.day::timestamp at time zone s.time_zone)`)} as begins_at,
      ${instantOf(sql.fragment`next.ends_at`)} as ends_at, last.proof as before
    from store s
    left join lateral (select t.day, t.number, t.ends_at, t.proof from day_statement t where t.store_id = s.id order by t.number desc limit 1) last on true
    cross join lateral (
      select d.day, d.ends_at from day_report d where d.store_id = s.id and d.day > coalesce(last.day, '-infinity') order by d.day limit 1
    ) next
    where s.id > ${after}
    order by s.id limit 100`);

/** Reads the payouts for a day: those of the store's account that arrive on it or before, and are in no day yet. */
export const findPayoutsOfDay = (
  queries: Queries,
  { store_id: storeId, day }: Pick<UnprovenDay, 'store_id' | 'day'>,
  mode: string,
): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('payouts-of-day', z.object({ id: z.string() }))`
    select p.id from store s join payout p on p.account_id = ${accountSql(mode)}
    where s.id = ${storeId} and p.created_at >= ${day}::date - interval '35 days' and p.status not in ('failed', 'canceled')
      and p.arrives_on <= ${day} and p.arrives_on >= coalesce((select min(t.day) from day_statement t where t.store_id = s.id), ${day})
      and not exists (
        select from day_statement t where t.store_id = s.id and t.day >= ${day}::date - 70 and p.id = any(t.payout_ids))
    order by p.id`);

export interface BookSpan {
  readonly store_id: string;
  readonly day: string;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly payout_ids: readonly string[];
}

const Contents = z.object({
  moved: z.array(BookRow.omit({ row: true })),
  tips: z.custom<readonly TipEntry[]>(),
  figures: z.custom<DayFigures>(),
  items: z.custom<readonly ReportItem[]>(),
});

const noText = sql.fragment`null::text`;
const row = (what: string, fields: FragmentSqlToken): FragmentSqlToken => sql.fragment`${what}::text as what, ${fields}`;

/**
 * Reads the contents of a day's book; null for a day that is not closed. They do not change later except by hand. The order does not
 * depend on a collation, which an update of the server may change.
 */
export const readBookContents = (queries: Queries, { store_id, day, begins_at, ends_at, payout_ids }: BookSpan) =>
  queries.maybeOne(sql.prepared('book-contents', Contents)`
    with span as materialized (
      select l.*, o.order_number, coalesce(l.currency, o.currency) as in_currency
      from ledger l cross join lateral (select order_number, currency from orders o where o.id = l.order_id offset 0) o
      where l.store_id = ${store_id} and l.at >= ${begins_at}::timestamptz and l.at < ${ends_at}::timestamptz
    ), ledger_rows as (
      select ${row(
        'ledger',
        sql.fragment`l.kind as name, ${instantOf(sql.fragment`l.at`)} as at, l.order_number, l.order_id, l.amount_pence,
        null::int as count, l.in_currency as currency, l.tender, l.given_pence, l.reference, l.provider_ref, l.drawer_id, l.by_id`,
      )}
      from span l
    ), credit_note_rows as (
      select ${row(
        'credit_note',
        sql.fragment`r.credit_note::text as name, ${instantOf(sql.fragment`r.credited_at`)} as at, t.order_number,
        t.order_id, r.amount_pence, null::int as count, t.in_currency as currency, ${noText} as tender, null::int as given_pence,
        ${noText} as reference, r.provider_refund_id as provider_ref, null::uuid as drawer_id, r.by_id`,
      )}
      from (select distinct order_id, order_number, in_currency from span where kind = 'refund') t
      cross join lateral (
        select * from refund f where f.payment_order_id = t.order_id and f.credit_note is not null
          and f.credited_at >= ${begins_at}::timestamptz and f.credited_at < ${ends_at}::timestamptz offset 0
      ) r
    ), payout_rows as (
      select ${row(
        'payout',
        sql.fragment`''::text as name, ${instantOf(sql.fragment`p.created_at`)} as at, ${noText} as order_number,
        null::uuid as order_id, p.amount_pence, null::int as count, p.currency, ${noText} as tender, null::int as given_pence,
        ${noText} as reference, p.id as provider_ref, null::uuid as drawer_id, ${noText} as by_id`,
      )}
      from payout p where p.id = any(${sql.array([...payout_ids], 'text')})
    )
    select coalesce((select jsonb_agg(to_jsonb(m) order by array_position(array['ledger', 'credit_note', 'payout'], m.what), m.at, m.name collate "C", m.provider_ref collate "C") from (
        select * from ledger_rows union all select * from credit_note_rows union all select * from payout_rows
      ) m), '[]') as moved, d.tips, d.figures, d.items
    from day_report d where d.store_id = ${store_id} and d.day = ${day}`);

/** Writes the statement of a day. Returns false when the day or its number already has one. */
export const writeStatement = async (
  tx: Transaction,
  { store_id, day, number, begins_at, ends_at, currency }: UnprovenDay,
  { payout_ids, proof }: { readonly payout_ids: readonly string[]; readonly proof: string },
): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('write-day-statement', z.object({ number: z.number() }))`
    insert into day_statement (store_id, day, number, begins_at, ends_at, currency, payout_ids, proof)
    values (${store_id}, ${day}, ${number}, ${begins_at}, ${ends_at}, ${currency}, ${sql.array([...payout_ids], 'text')}, ${proof})
    on conflict do nothing returning number`)) !== null;

const Statement = z.object({
  store_id: z.string(),
  day: z.string(),
  number: z.number(),
  begins_at: z.string(),
  ends_at: z.string(),
  currency: z.string(),
  payout_ids: z.array(z.string()),
  proof: z.string(),
});
const Book = z.object({ statement: Statement.nullable(), first_day: z.string().nullable() });

/**
 * Reads the statement of a store's day: `statement` is null for a day without one. `first_day` is that of the store's first payment; null
 * before it. Null for an unknown store.
 */
export const findStatement = (queries: Queries, storeId: string, day: string): Promise<z.output<typeof Book> | null> =>
  queries.maybeOne(sql.prepared('find-day-statement', Book)`
    select (
      select jsonb_build_object('store_id', t.store_id, 'day', t.day, 'number', t.number, 'begins_at', ${instantOf(sql.fragment`t.begins_at`)},
        'ends_at', ${instantOf(sql.fragment`t.ends_at`)}, 'currency', t.currency, 'payout_ids', t.payout_ids, 'proof', t.proof)
      from day_statement t where t.store_id = s.id and t.day = ${day}
    ) as statement, least(
      (select d.day from day_report d where d.store_id = s.id order by d.day limit 1),
      (select (l.at at time zone s.time_zone)::date from ledger l where l.store_id = s.id order by l.at limit 1)
    )::text as first_day
    from store s where s.id = ${storeId}`);
