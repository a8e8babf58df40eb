import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { dataReads, hourlyReads, readers } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { fromStore } from '../object/tables.ts';
import type { DataAccess, HashedRow, Link } from './rules.ts';

const Head = z.object({ chain: z.string(), number: z.number(), hash: z.string() });

/** Locks the ends of chains, in the order of their ids, and begins those that are not there. */
export const lockHeads = (tx: Transaction, starts: readonly Link[]): Promise<readonly Link[]> =>
  tx.any(sql.prepared('lock-data-access-heads', Head)`
    insert into data_access_head (chain, number, hash)
    select chain, number, decode(hash, 'hex') from jsonb_to_recordset(${sql.jsonb(starts)}) as s (chain uuid, number bigint, hash text)
    order by chain
    on conflict (chain) do update set number = data_access_head.number
    returning chain, number, encode(hash, 'hex') as hash`);

export async function appendRows(tx: Transaction, rows: readonly HashedRow[], heads: readonly Link[]): Promise<void> {
  await tx.query(sql.prepared('append-data-access', NoColumns)`
    with added as (
      insert into data_access (chain, number, at, by_kind, by_id, customer_id, what, request_id, hash)
      select chain, number, at, by_kind, by_id, customer_id, what, request_id, decode(hash, 'hex')
      from jsonb_to_recordset(${sql.jsonb(rows)}) as r (
        chain uuid, number bigint, at timestamptz, by_kind text, by_id text, customer_id uuid, what text, request_id text, hash text)
    )
    update data_access_head h set number = n.number, hash = decode(n.hash, 'hex')
    from jsonb_to_recordset(${sql.jsonb(heads)}) as n (chain uuid, number bigint, hash text)
    where h.chain = any(${sql.array(
      heads.map(({ chain }) => chain),
      'uuid',
    )}) and h.chain = n.chain`);
}

const Row = z.object({
  chain: z.string(),
  number: z.number(),
  at: z.string(),
  by_kind: z.enum(readers),
  by_id: z.string(),
  customer_id: z.string().nullable(),
  what: z.enum(dataReads),
  request_id: z.string().nullable(),
});

const HourlyRow = z.object({
  chain: z.string(),
  by_kind: z.enum(readers),
  by_id: z.string(),
  customer_id: z.string(),
  what: z.enum(dataReads),
  at: z.string(),
});

export const readHourly = (tx: Transaction, reads: readonly DataAccess[]): Promise<readonly z.output<typeof HourlyRow>[]> =>
  tx.any(sql.prepared('read-hourly-data-access', HourlyRow)`
    select distinct a.chain, a.by_kind, a.by_id, a.customer_id, a.what, ${instantOf(sql.fragment`a.at`)} as at
    from jsonb_to_recordset(${sql.jsonb(reads.map(({ customerId, at }) => ({ customer_id: customerId, at: at.toISOString() })))})
      as w (customer_id uuid, at timestamptz)
    join data_access a on a.customer_id = w.customer_id and a.at >= date_trunc('hour', w.at, 'UTC')
      and a.at < date_trunc('hour', w.at, 'UTC') + interval '1 hour' and a.what = any(${sql.array([...hourlyReads], 'text')})`);

const columns = sql.fragment`a.chain, a.number, ${instantOf(sql.fragment`a.at`)} as at, a.by_kind, a.by_id, a.customer_id, a.what, a.request_id`;

const Part = z.object({
  chain: z.string(),
  head: Head.nullable(),
  rows: z.array(z.object({ ...Row.shape, by_kind: z.string(), what: z.string(), hash: z.string() })),
});

/**
 * Reads the rows of a chain after a number, with the end of the chain as it was at that moment. Without a number it reads the first chain
 * after `chain`; null when no chain follows.
 */
export const readPart = (
  queries: Queries,
  { chain, number }: { readonly chain: string | null; readonly number: number | null },
  limit: number,
): Promise<z.output<typeof Part> | null> =>
  queries.maybeOne(sql.prepared('read-data-access-part', Part)`
    with wanted as materialized (
      select case when ${number}::bigint is not null then ${chain}::uuid else least(
        (select h.chain from data_access_head h where h.chain > coalesce(${chain}::uuid, '00000000-0000-0000-0000-000000000000') order by h.chain limit 1),
        (select a.chain from data_access a where a.chain > coalesce(${chain}::uuid, '00000000-0000-0000-0000-000000000000') order by a.chain limit 1)) end as chain
    )
    select w.chain, (
        select jsonb_build_object('chain', h.chain, 'number', h.number, 'hash', encode(h.hash, 'hex')) from data_access_head h where h.chain = w.chain
      ) as head, coalesce((select jsonb_agg(to_jsonb(page) order by page.number) from (
        select ${columns}, encode(a.hash, 'hex') as hash from data_access a
        where a.chain = w.chain and a.number > coalesce(${number}::bigint, 0) order by a.number limit ${limit}
      ) page), '[]') as rows
    from wanted w where w.chain is not null`);

const ListedRow = Row.omit({ chain: true }).extend({ name: z.string().nullable() });
const AccessPage = z.object({ cursor_known: z.boolean(), rows: z.array(ListedRow) });

export const readAccessPage = (
  queries: Queries,
  { storeId, before, limit }: { readonly storeId: string; readonly before: string | null; readonly limit: number },
): Promise<z.output<typeof AccessPage> | null> =>
  queries.maybeOne(sql.prepared('list-data-access', AccessPage)`
    select
      ${before}::bigint is null or exists (select from data_access c where c.chain = s.id and c.number = ${before}::bigint) as cursor_known,
      coalesce((select jsonb_agg(to_jsonb(page) - 'chain' order by page.number desc) from (
        select ${columns}, (
          select p.data ->> 'name' from object p
          where p.kind = 'staff' and p.id = case when a.by_id ~ '^[0-9a-f-]{36}$' then a.by_id::uuid end
        ) as name
        from data_access a
        where a.chain = s.id and a.number < coalesce(${before}::bigint, 9223372036854775807)
        order by a.number desc limit ${limit}
      ) page), '[]') as rows
    ${fromStore(storeId)}`);
