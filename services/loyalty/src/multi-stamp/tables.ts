import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import type { ChangedBy, DataOf, directoryStaff } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { matchStoreSql } from '../card/tables/directory.ts';
import { loggedSql } from '../card/tables/log.ts';
import type { CustomerAt } from '../card/tables/programmes.ts';

interface NewRequest extends CustomerAt {
  readonly id: string;
  readonly stamps: number;
  readonly expiresAt: Date;
}

/**
 * Inserts a request, after expiring the customer's earlier one if its time is past. Returns its expiry; null when another one is pending.
 */
export async function openRequest(tx: Transaction, { id, storeId, customerId, stamps, expiresAt }: NewRequest): Promise<string | null> {
  const now = tx.now.toISOString();
  await tx.query(sql.prepared('lapse-multi-stamp', NoColumns)`
    update multi_stamp_request set status = 'expired', resolved_at = expires_at
    where store_id = ${storeId} and customer_id = ${customerId} and status = 'pending' and expires_at <= ${now}`);
  return await tx.maybeOneFirst(sql.prepared('open-multi-stamp', z.object({ expires_at: z.string() }))`
    insert into multi_stamp_request (id, store_id, customer_id, requested_stamps, status, created_at, expires_at)
    values (${id}, ${storeId}, ${customerId}, ${stamps}, 'pending', ${now}, ${expiresAt.toISOString()})
    on conflict (store_id, customer_id) where status = 'pending' do nothing
    returning ${instantOf(sql.fragment`expires_at`)} as expires_at`);
}

const Request = z.object({
  id: z.string(),
  status: z.enum(['pending', 'confirmed', 'cancelled', 'expired']),
  stamps: z.number(),
  expiresAtMs: z.number(),
  resolvedAtMs: z.number().nullable(),
  stampCount: z.number().nullable(),
  goal: z.number().nullable(),
  voucherIds: z.array(z.string()).nullable(),
});

export type MultiStampRequest = z.output<typeof Request>;

/**
 * Locks a customer's request. Without an id it is the newest that was not cancelled and was resolved, or expires, after `since`. Lock
 * order: the card's row comes before.
 */
export async function lockRequest(
  tx: Transaction,
  { storeId, customerId }: CustomerAt,
  { requestId, since }: { readonly requestId: string | null; readonly since: Date },
): Promise<MultiStampRequest | null> {
  const [name, meant] = requestId
    ? ['multi-stamp-by-id', sql.fragment`id = ${requestId}`]
    : ['multi-stamp-latest', sql.fragment`status <> 'cancelled' and coalesce(resolved_at, expires_at) >= ${since.toISOString()}`];
  return await tx.maybeOne(sql.prepared(name, Request)`
    select id, status, requested_stamps as stamps, (extract(epoch from expires_at) * 1000)::float8 as "expiresAtMs",
      (extract(epoch from resolved_at) * 1000)::float8 as "resolvedAtMs", stamp_count as "stampCount", goal, voucher_ids as "voucherIds"
    from multi_stamp_request
    where store_id = ${storeId} and customer_id = ${customerId} and ${meant}
    order by created_at desc, id desc limit 1 for update`);
}

export async function markConfirmed(
  tx: Transaction,
  { storeId, customerId }: CustomerAt,
  confirmed: {
    readonly id: string;
    readonly by: ChangedBy;
    readonly stamps: number;
    readonly stampCount: number;
    readonly goal: number;
    readonly voucherIds: readonly string[];
  },
): Promise<void> {
  const { by, stamps } = confirmed;
  await tx.one(sql.prepared('confirm-multi-stamp', z.object({ id: z.string() }))`
    with confirmed as (
      update multi_stamp_request
      set status = 'confirmed', resolved_at = ${tx.now.toISOString()}, confirmed_by = ${by.id}, stamp_count = ${confirmed.stampCount},
          goal = ${confirmed.goal}, voucher_ids = ${sql.array([...confirmed.voucherIds], 'uuid')}
      where id = ${confirmed.id} and store_id = ${storeId} and coalesce(status, '') = 'pending' returning id
    ), logged as (${loggedSql(tx, { storeId, customerId, kind: 'confirmed', by, stamps }, sql.fragment`confirmed`)})
    select id from confirmed`);
}

/**
 * Cancels a customer's pending request, or expires it when it expired before `expiredBefore`. Returns the status it had, counting such a
 * request as expired; null when the customer has no such request. It is one statement in every case, so it reveals no other customer's
 * request.
 */
export async function cancelRequest(
  queries: Queries,
  { requestId, customerId }: { readonly requestId: string; readonly customerId: string },
  { now, expiredBefore }: { readonly now: Date; readonly expiredBefore: Date },
): Promise<string | null> {
  const lapsed = sql.fragment`expires_at < ${expiredBefore.toISOString()}`;
  return await queries.maybeOneFirst(sql.prepared('cancel-multi-stamp', z.object({ status: z.string() }))`
    update multi_stamp_request
    set status = case when status <> 'pending' then status when ${lapsed} then 'expired' else 'cancelled' end,
        resolved_at = case when status <> 'pending' then resolved_at when ${lapsed} then expires_at else ${now.toISOString()} end
    where id = ${requestId} and customer_id = ${customerId}
    returning case when status = 'expired' then status else old.status end as status`);
}

/** Expires up to 1,000 pending requests. A request that another transaction is resolving is skipped. */
export async function expireRequests(queries: Queries, expiredBefore: Date): Promise<void> {
  await queries.query(sql.prepared('expire-multi-stamps', NoColumns)`
    update multi_stamp_request set status = 'expired', resolved_at = expires_at where id = any(array(
      select id from multi_stamp_request where status = 'pending' and expires_at < ${expiredBefore.toISOString()} order by expires_at limit 1000
      for update skip locked))`);
}

export const deleteRequests = async (queries: Queries, resolvedBefore: Date): Promise<number> =>
  await queries.oneFirst(sql.prepared('drop-old-requests', z.object({ dropped: z.number() }))`
    with gone as (delete from multi_stamp_request where id = any(array(
      select id from multi_stamp_request where status in ('cancelled', 'expired') and resolved_at < ${resolvedBefore.toISOString()}
      order by resolved_at limit 1000)) returning 1)
    select count(*)::int as dropped from gone`);

const Status = z.object({
  id: z.string(),
  status: z.enum(['pending', 'confirmed']),
  requested_stamps: z.number(),
  expires_at: z.string(),
  confirmed_at: z.string().nullable(),
  secondsLeft: z.number(),
});

/**
 * Reads a customer's newest request at a live store that is pending and expired no earlier than `expiredSince`, or was confirmed no
 * earlier than `confirmedSince`. Null when there is no such request. It is the same statement in every case, so it reveals nothing of other
 * requests.
 */
export async function readMultiStampStatus(
  queries: Queries,
  { store, customerId }: { readonly store: string; readonly customerId: string },
  { now, expiredSince, confirmedSince }: { readonly now: Date; readonly expiredSince: Date; readonly confirmedSince: Date },
): Promise<z.output<typeof Status> | null> {
  const { by, match } = matchStoreSql(store);
  return await queries.maybeOne(sql.prepared(`multi-stamp-status-by-${by}`, Status)`
    select r.id, r.status, r.requested_stamps, ${instantOf(sql.fragment`r.expires_at`)} as expires_at,
      ${instantOf(sql.fragment`r.resolved_at`)} as confirmed_at,
      greatest(0, ceil(extract(epoch from r.expires_at - ${now.toISOString()}::timestamptz)))::int as "secondsLeft"
    from multi_stamp_request r
    where r.store_id = (select s.id from store s where ${match} and s.live order by s.id limit 1) and r.customer_id = ${customerId}
      and (r.status = 'pending' and r.expires_at >= ${expiredSince.toISOString()}
        or r.status = 'confirmed' and r.resolved_at >= ${confirmedSince.toISOString()})
    order by r.created_at desc, r.id desc limit 1`);
}

export const multiStampsThisMonth = async (tx: Transaction, { storeId, customerId }: CustomerAt, timeZone: string): Promise<number> =>
  await tx.oneFirst(sql.prepared('multi-stamps-this-month', z.object({ stamps: z.number() }))`
    select coalesce(sum(requested_stamps), 0)::int as stamps from multi_stamp_request
    where store_id = ${storeId} and customer_id = ${customerId} and status = 'confirmed'
      and resolved_at >= date_trunc('month', ${tx.now.toISOString()}::timestamptz at time zone ${timeZone}) at time zone ${timeZone}`);

const EarnedVoucher = z.object({
  voucher_id: z.string(),
  voucher_code: z.string(),
  reward_title: z.string().nullable(),
  expires_at: z.string(),
});

export const readEarnedVouchers = async (
  queries: Queries,
  programmeId: string,
  ids: readonly string[],
): Promise<readonly z.output<typeof EarnedVoucher>[]> =>
  await queries.any(sql.prepared('vouchers-earned', EarnedVoucher)`
    select id as voucher_id, code as voucher_code, reward_title, ${instantOf(sql.fragment`expires_at`)} as expires_at
    from voucher where store_id = ${programmeId} and id = any(${sql.array([...ids], 'uuid')}) order by id`);

/** A member of staff. The name is null until the directory's next snapshot of someone it published before names were kept. */
const Member = z.object({ id: z.string(), name: z.string().nullable() });

export const findStaffByCard = async (queries: Queries, cardHash: string): Promise<z.output<typeof Member> | null> =>
  await queries.maybeOne(sql.prepared('staff-by-card', Member)`
    select id, name from staff where cards @> array[${cardHash}] limit 1`);

const SessionOwner = Member.extend({ revoked: z.boolean() });

/** Reads whether a session is revoked, or its member no longer works at the store. Null when the member is unknown. */
export const findSessionOwner = async (
  queries: Queries,
  { staffId, sessionId, storeId }: { readonly staffId: string; readonly sessionId: string; readonly storeId: string },
): Promise<z.output<typeof SessionOwner> | null> =>
  await queries.maybeOne(sql.prepared('staff-session', SessionOwner)`
    select id, name, ${sessionId} = any(revoked_sessions) or ${storeId} <> all(stores) as revoked from staff where id = ${staffId}`);

export async function saveStaff(tx: Queries, staff: DataOf<typeof directoryStaff>, cardHashes: readonly string[]): Promise<void> {
  const stores = staff.stores.map(({ id }) => id);
  await tx.query(sql.prepared('save-staff', NoColumns)`
    insert into staff (id, version, name, stores, cards, revoked_sessions)
    values (${staff.id}, ${staff.version}, ${staff.name}, ${sql.array(stores, 'uuid')}, ${sql.array([...cardHashes], 'text')}, ${sql.array(staff.revoked_sessions, 'text')})
    on conflict (id) do update
    set version = excluded.version, name = excluded.name, stores = excluded.stores, cards = excluded.cards, revoked_sessions = excluded.revoked_sessions
    where staff.version < excluded.version`);
}
