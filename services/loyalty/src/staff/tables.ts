import { cursorKnownSql, instantOf, type LogQuery, logPageSql, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import { ChangedBy } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { LogKind } from '../card/rules.ts';
import { loggedSql } from '../card/tables/log.ts';
import type { CardKey, CustomerAt } from '../card/tables/programmes.ts';
import { balanceSql, CardBalance, changedBySql } from '../card/tables/stamps.ts';

interface StampKey {
  readonly storeId: string;
  readonly stampId: string;
}

/** Selects whether a stamp was collected at a store, whichever store of the programme is its home. */
const collectedAtSql = (storeId: string) => sql.fragment`coalesce(at_store_id, store_id) = ${storeId}`;

const Owner = z.object({ customer_id: z.string().nullable(), programmeId: z.string() });

/** Reads a stamp's programme, and its customer, which is null for a guest. Null for a stamp that does not exist or belongs to another store. */
export const findStampOwner = async (tx: Transaction, { storeId, stampId }: StampKey): Promise<z.output<typeof Owner> | null> =>
  await tx.maybeOne(sql.prepared('stamp-owner', Owner)`
    select customer_id, store_id as "programmeId" from stamp where id = ${stampId} and ${collectedAtSql(storeId)}`);

const Reviewed = z.object({
  status: z.enum(['pending', 'approved', 'rejected', 'undone', 'reversed']),
  source: z.string(),
  by: ChangedBy.nullable(),
});

/** Locks a stamp for a review. Its card, if it has one, is locked before. */
export const lockStamp = async (tx: Transaction, { storeId, stampId }: StampKey): Promise<z.output<typeof Reviewed>> =>
  await tx.one(sql.prepared('lock-stamp', Reviewed)`
    select status, source, ${changedBySql} as by from stamp where id = ${stampId} and ${collectedAtSql(storeId)} for update`);

interface StampChange extends StampKey {
  readonly customerId: string | null;
  readonly by: ChangedBy;
}

export async function approveStamp(tx: Transaction, change: StampChange): Promise<void> {
  const { storeId, stampId, by } = change;
  await tx.query(sql.prepared('approve-stamp', NoColumns)`
    with approved as (
      update stamp set status = 'approved', approved_at = ${tx.now.toISOString()}, by_id = ${by.id}, by_name = ${by.name}
      where id = ${stampId} and ${collectedAtSql(storeId)}
      returning id
    )
    ${loggedSql(tx, { ...change, kind: 'approved' }, sql.fragment`approved`)}`);
}

export async function rejectStamp(tx: Transaction, change: StampChange): Promise<void> {
  const { storeId, stampId, by } = change;
  await tx.query(sql.prepared('reject-stamp', NoColumns)`
    with rejected as (
      update stamp set status = 'rejected', ended_at = ${tx.now.toISOString()}, by_id = ${by.id}, by_name = ${by.name}
      where id = ${stampId} and ${collectedAtSql(storeId)}
      returning id
    )
    ${loggedSql(tx, { ...change, kind: 'rejected' }, sql.fragment`rejected`)}`);
}

/** `undone`: the source of the stamp; null when it was not undone. */
const Undone = CardBalance.extend({ undone: z.string().nullable() });

/** Undoes a stamp of one of the sources that is approved and unused. Returns whether it did, and the balance after. The card is locked. */
export async function markUndone(
  tx: Transaction,
  change: StampChange & CardKey,
  sources: readonly string[],
): Promise<z.output<typeof Undone>> {
  const { storeId, customerId, stampId, by } = change;
  return await tx.one(sql.prepared('undo-stamp', Undone)`
    with undone as (
      update stamp set status = 'undone', ended_at = ${tx.now.toISOString()}, by_id = ${by.id}, by_name = ${by.name}
      where id = ${stampId} and ${collectedAtSql(storeId)} and store_id = ${change.programmeId} and customer_id = ${customerId}
        and source = any(${sql.array([...sources], 'text')}) and status = 'approved' and voucher_id is null and not paid_debt
      returning id, source
    ), logged as (${loggedSql(tx, { ...change, kind: 'undone' }, sql.fragment`undone`)})
    select balance."stampCount", balance.debt, (select source from undone) as undone
    from (${balanceSql(change, sql.fragment`-(select count(*) from undone)`)}) balance`);
}

const Granted = z.object({ source: z.string(), used: z.boolean(), by: ChangedBy.nullable() });

export const findGrantedStamp = async (
  tx: Transaction,
  { storeId, customerId }: CustomerAt,
  stampId: string,
): Promise<z.output<typeof Granted> | null> =>
  await tx.maybeOne(sql.prepared('stamp-not-undone', Granted)`
    select source, voucher_id is not null or paid_debt as used, ${changedBySql} as by
    from stamp where id = ${stampId} and ${collectedAtSql(storeId)} and customer_id = ${customerId}`);

const text = z.string().nullable();

const ListedStamp = z.object({
  id: z.string(),
  store_id: z.string(),
  customer_id: text,
  status: z.string(),
  source: text,
  approval_reason: text,
  approved: z.boolean(),
  created_at: text,
  approved_at: text,
  name: text,
  email: text,
  phone: text,
  identity_user_id: text,
  last_seen: text,
  known_since: text,
  by: ChangedBy.nullable(),
});
export type ListedStamp = z.output<typeof ListedStamp>;

/**
 * Selects stamps for a list, the newest first, each with its customer, whose name is shown once they did something at the store. The limits
 * of the joins let Postgres look each customer up, and not read all cards of the store.
 */
const listedSql = (storeId: string, stamps: FragmentSqlToken) => sql.fragment`
  select s.id, ${storeId}::text as store_id, s.customer_id, s.status, s.source, s.approval_reason, s.status = 'approved' as approved,
    ${instantOf(sql.fragment`s.created_at`)} as created_at, ${instantOf(sql.fragment`s.approved_at`)} as approved_at,
    u.name, u.email, u.phone, u.identity_user_id,
    ${instantOf(sql.fragment`c.last_visit_at`)} as last_seen, ${instantOf(sql.fragment`c.created_at`)} as known_since,
    ${changedBySql} as by
  from (${stamps}) s
  left join lateral (select * from card where store_id = ${storeId} and customer_id = s.customer_id limit 1) c on true
  left join lateral (select * from customer where id = s.customer_id and c.customer_since is not null limit 1) u on true
  order by s.created_at desc, s.id desc`;

/** Stamps of guests that wait, as the partial index has them. */
const waitsOfGuest = sql.fragment`status = 'pending' and customer_id is null`;

const newest = sql.fragment`order by created_at desc, id desc`;

/**
 * Reads a store's 100 newest stamps of one status. Of those that wait, stamps of guests fill the room that stamps of customers leave: a
 * guest is anyone.
 */
export const listStamps = async (
  queries: Queries,
  { storeId, status }: { readonly storeId: string; readonly status: string },
): Promise<readonly ListedStamp[]> =>
  await queries.any(
    sql.prepared('list-stamps', ListedStamp)`${listedSql(
      storeId,
      sql.fragment`
    select * from (
    (select * from stamp where store_id = ${storeId} and at_store_id is null and status = ${status} and (status <> 'pending' or customer_id is not null)
      ${newest} limit 100)
    union all
    (select * from stamp where at_store_id = ${storeId} and status = ${status} ${newest} limit 100)
    union all
    (select * from stamp where store_id = ${storeId} and ${waitsOfGuest} and ${status} = 'pending' ${newest} limit 100)
    ) listed order by customer_id is null and status = 'pending', created_at desc, id desc limit 100`,
    )}`,
  );

export const listGuestStamps = async (
  queries: Queries,
  { storeId, before, limit }: { readonly storeId: string; readonly before: StampCursor | null; readonly limit: number },
): Promise<readonly ListedStamp[]> =>
  await queries.any(
    sql.prepared('list-guest-stamps', ListedStamp)`${listedSql(
      storeId,
      sql.fragment`
    select * from stamp where store_id = ${storeId} and ${waitsOfGuest}
      and (created_at, id) < (coalesce(${before?.created_at ?? null}::timestamptz, 'infinity'), coalesce(${before?.id ?? null}::uuid, ${lastId}::uuid))
      ${newest} limit ${limit}`,
    )}`,
  );

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const StampCursor = z.object({ id: z.string(), created_at: z.string() });
type StampCursor = z.output<typeof StampCursor>;

/** Finds the place of a guest's stamp in their list, also one that waits no more. Null for a stamp of a customer, and of another store. */
export const findGuestStamp = async (queries: Queries, { storeId, stampId }: StampKey): Promise<StampCursor | null> =>
  await queries.maybeOne(sql.prepared('find-guest-stamp', StampCursor)`
    select id, ${instantOf(sql.fragment`created_at`)} as created_at from stamp where id = ${stampId} and store_id = ${storeId} and customer_id is null`);

export const rejectOldGuestStamps = async (queries: Queries, before: Date, now: Date): Promise<number> =>
  await queries.oneFirst(sql.prepared('reject-old-guest-stamps', z.object({ rejected: z.number() }))`
    with old as (
      update stamp set status = 'rejected', ended_at = ${now.toISOString()}
      where id = any(array(select id from stamp where ${waitsOfGuest} and created_at < ${before.toISOString()}::timestamptz limit 1000 for update skip locked))
        and status = 'pending'
      returning 1)
    select count(*)::int as rejected from old`);

const LogRow = z.object({
  id: z.number(),
  at: z.string(),
  kind: z.custom<LogKind>((kind) => typeof kind === 'string'),
  by_id: z.string(),
  by_name: text,
  customer_id: text,
  customer_name: text,
  stamp_id: text,
  voucher_id: text,
  reward_title: text,
  stamps: z.number(),
});

const LogPage = z.object({ cursor_known: z.boolean(), rows: z.array(LogRow) });

/**
 * Reads a page of a store's log, newest first. A customer's name is null until they have done something at the store. `cursor_known` is
 * false when the store has no row `before`. Null for an unknown store.
 */
export const readLog = async (queries: Queries, query: LogQuery): Promise<z.output<typeof LogPage> | null> =>
  await queries.maybeOne(sql.prepared('read-loyalty-log', LogPage)`
    select ${cursorKnownSql('log_entry', query)} as cursor_known,
      coalesce((select jsonb_agg(to_jsonb(page) order by page.at desc, page.id desc) from (
        select l.id, ${instantOf(sql.fragment`l.at`)} as at, l.kind, l.by_id, l.by_name, l.customer_id, u.name as customer_name, l.stamp_id,
          l.voucher_id, v.reward_title, l.stamps
        from log_entry l
        left join card k on k.store_id = l.store_id and k.customer_id = l.customer_id
        left join customer u on u.id = l.customer_id and k.customer_since is not null
        left join voucher v on v.id = l.voucher_id
        ${logPageSql('log_entry', query)}
      ) page), '[]') as rows
    from store s where s.id = ${query.storeId}`);
