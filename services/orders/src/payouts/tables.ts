import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { PaidOrder, Payout, PayoutEntry } from './rules.ts';

const Order = z.object({
  id: z.string(),
  store_id: z.string(),
  currency: z.string(),
  total_pence: z.number(),
  application_fee_pence: z.number(),
});

export const findPaidAccounts = (queries: Queries, mode: ProviderMode): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('paid-accounts', z.object({ account_id: z.string() }))`
    select account_id from connected_account where mode = ${mode} and details_submitted order by account_id`);

/**
 * Writes payouts of an account, and returns the ids of those whose entries are not read yet. An unchanged payout is not written: every
 * payout of a month is listed each hour.
 */
export const writePayouts = (tx: Transaction, accountId: string, payouts: readonly Payout[]): Promise<readonly string[]> =>
  tx.anyFirst(sql.prepared('write-payouts', z.object({ id: z.string() }))`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.jsonb(payouts)}) as given(
        id text, "amountPence" integer, currency text, status text, "arrivesOn" date, "createdAt" timestamptz, failure text)
    ), written as (
      insert into payout (id, account_id, amount_pence, currency, status, arrives_on, created_at, failure)
      select id, ${accountId}, "amountPence", currency, status, "arrivesOn", "createdAt", failure from given order by id
      on conflict (id) do update set status = excluded.status, arrives_on = excluded.arrives_on, failure = excluded.failure
      where (payout.status, payout.arrives_on, payout.failure) is distinct from (excluded.status, excluded.arrives_on, excluded.failure)
    )
    select g.id from given g where (select p.matched_at from payout p where p.id = g.id) is null`);

export const findPaidOrders = (queries: Queries, ids: readonly string[]): Promise<readonly PaidOrder[]> =>
  queries.any(sql.prepared('paid-orders', Order)`
    select id, store_id, currency, total_pence, application_fee_pence from orders where id = any(${sql.array([...ids], 'uuid')})`);

/**
 * Writes the entries of a payout, each once, and that it was compared. A refund's entry belongs to the order of the refunded payment,
 * which is in this payout or an earlier one.
 */
export async function writeEntries(tx: Transaction, payoutId: string, entries: readonly PayoutEntry[]): Promise<void> {
  await tx.query(sql.prepared('write-payout-entries', NoColumns)`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.jsonb(entries)}) as given(
        "transactionId" text, "sourceId" text, "refundOf" text, "orderId" uuid, "netPence" integer)
    ), matched as (
      update payout set matched_at = ${tx.now.toISOString()} where id = ${payoutId}
    )
    insert into payout_entry (transaction_id, payout_id, source_id, order_id, net_pence)
    select g."transactionId", ${payoutId}, g."sourceId",
      coalesce(g."orderId", (select p."orderId" from given p where p."sourceId" = g."refundOf" limit 1),
        (select e.order_id from payout_entry e where e.source_id = g."refundOf" limit 1)),
      g."netPence"
    from given g order by g."transactionId"
    on conflict do nothing`);
}

const PayoutRow = z.object({
  id: z.string(),
  amount_pence: z.number(),
  currency: z.string(),
  status: z.string(),
  arrives_on: z.string(),
  created_at: z.string(),
  failure: z.string().nullable(),
  orders: z.number().nullable(),
  matched_pence: z.number().nullable(),
});
export type PayoutRow = z.output<typeof PayoutRow>;

/** Reads payouts of an account, newest first, after the one with the id `before`. Counts are null for a payout that was not compared. */
export const listPayoutsOf = (queries: Queries, accountId: string, before: string | null, limit: number): Promise<readonly PayoutRow[]> =>
  queries.any(sql.prepared('list-payouts', PayoutRow)`
    select p.id, p.amount_pence, p.currency, p.status, p.arrives_on::text as arrives_on, ${instantOf(sql.fragment`p.created_at`)} as created_at, p.failure,
      case when p.matched_at is not null then e.orders end as orders, case when p.matched_at is not null then e.net end as matched_pence
    from payout p cross join lateral (
      select count(distinct order_id)::int as orders, coalesce(sum(net_pence) filter (where order_id is not null), 0)::int as net
      from payout_entry where payout_id = p.id
    ) e
    where p.account_id = ${accountId}
      and (p.created_at, p.id) < coalesce((select (b.created_at, b.id) from payout b where b.id = ${before} and b.account_id = ${accountId}),
        ('infinity'::timestamptz, ''))
    order by p.created_at desc, p.id desc limit ${limit}`);
