import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from './cards.ts';

export interface NewRequest extends CardKey {
  readonly id: string;
  readonly stamps: number;
  readonly expiresAt: Date;
}

/**
 * Inserts a request, after expiring the customer's earlier one if its time is past. Returns when it expires; null when another one is
 * pending.
 */
export async function openRequest(tx: Transaction, { id, storeId, customerId, stamps, expiresAt }: NewRequest): Promise<string | null> {
  const now = tx.now.toISOString();
  await tx.query(sql.prepared('lapse-multi-stamp', z.object({}))`
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
  /** What the confirmation came to; null for a request that was not confirmed. */
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
  { storeId, customerId }: CardKey,
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

/** Records on a locked, pending request that it was confirmed, and what came of it. */
export async function markConfirmed(
  tx: Transaction,
  { storeId }: CardKey,
  confirmed: {
    readonly id: string;
    readonly staffId: string;
    readonly stampCount: number;
    readonly goal: number;
    readonly voucherIds: readonly string[];
  },
): Promise<void> {
  await tx.one(sql.prepared('confirm-multi-stamp', z.object({ id: z.string() }))`
    update multi_stamp_request
    set status = 'confirmed', resolved_at = ${tx.now.toISOString()}, confirmed_by = ${confirmed.staffId}, stamp_count = ${confirmed.stampCount},
        goal = ${confirmed.goal}, voucher_ids = ${sql.array([...confirmed.voucherIds], 'uuid')}
    where id = ${confirmed.id} and store_id = ${storeId} and status = 'pending' returning id`);
}

/**
 * Cancels a customer's pending request, or expires it when it expired before `expiredBefore`. Returns the status it had, counting such a
 * request as expired; null when the customer has no such request. One statement in every case, so it reveals no other customer's request.
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
  await queries.query(sql.prepared('expire-multi-stamps', z.object({}))`
    update multi_stamp_request set status = 'expired', resolved_at = expires_at where id = any(array(
      select id from multi_stamp_request where status = 'pending' and expires_at < ${expiredBefore.toISOString()} order by expires_at limit 1000
      for update skip locked))`);
}

/** Deletes up to 1,000 requests that were cancelled or expired before a time. Returns how many. */
export const deleteRequests = async (queries: Queries, resolvedBefore: Date): Promise<number> =>
  await queries.oneFirst(sql.prepared('drop-old-requests', z.object({ dropped: z.number() }))`
    with gone as (delete from multi_stamp_request where id = any(array(
      select id from multi_stamp_request where status in ('cancelled', 'expired') and resolved_at < ${resolvedBefore.toISOString()}
      order by resolved_at limit 1000)) returning 1)
    select count(*)::int as dropped from gone`);
