import { instantOf, type Queries, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { ProviderAccount } from './rules.ts';

const StoreAccount = z.object({ account_id: z.string(), accepts_orders: z.boolean().nullable(), reasons: z.array(z.string()).nullable() });
/** An account that a store names, with its state as it is stored for that store; null when it was never looked at. */
export type StoreAccount = z.output<typeof StoreAccount>;

/** Reads the accounts of all stores, one row for each store. */
export const findStoreAccounts = (queries: Queries): Promise<readonly StoreAccount[]> =>
  queries.any(sql.prepared('store-accounts', StoreAccount)`
    select s.connected_account_id as account_id, a.accepts_orders, a.reasons
    from store s left join store_account a on a.store_id = s.id and a.account_id = s.connected_account_id
    where s.connected_account_id is not null
    order by s.connected_account_id`);

/** Reads up to 50 accounts that a store names and that were never looked at for it. */
export const findUnseenAccounts = (queries: Queries): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('unseen-accounts', z.object({ account_id: z.string() }))`
    select distinct s.connected_account_id as account_id
    from store s left join store_account a on a.store_id = s.id and a.account_id = s.connected_account_id
    where s.connected_account_id is not null and a.store_id is null
    order by 1 limit 50`);

/** Locks the stored states of an account, one for each store that names it, and returns the ids of the stores that accept no orders. */
export const lockRestrictedStores = (tx: Transaction, accountId: string): Promise<readonly string[]> =>
  tx.anyFirst(sql.prepared('lock-store-accounts', z.object({ store_id: z.string() }))`
    with locked as (
      select a.store_id, a.accepts_orders from store_account a join store s on s.id = a.store_id
      where s.connected_account_id = ${accountId} order by a.store_id for update of a
    )
    select store_id from locked where not accepts_orders`);

const ChangedStore = z.object({ store_id: z.string(), version: z.number() });

/**
 * Writes the state that an account had at `askedAt` for every store that names it, and returns the stores for which something changed. A
 * store with a newer state keeps it.
 */
export const writeAccount = (
  tx: Transaction,
  { id, acceptsOrders, reasons }: ProviderAccount,
  askedAt: Date,
): Promise<readonly z.output<typeof ChangedStore>[]> =>
  tx.any(sql.prepared('write-account', ChangedStore)`
    with written as (
      insert into store_account (store_id, account_id, accepts_orders, reasons, version, restricted_since, asked_at)
      select s.id, ${id}, ${acceptsOrders}, ${sql.jsonb([...reasons])}, 1,
        case when ${acceptsOrders} then null else ${tx.now.toISOString()}::timestamptz end, ${askedAt.toISOString()}
      from store s where s.connected_account_id = ${id} order by s.id
      on conflict (store_id) do update
      set account_id = excluded.account_id, accepts_orders = excluded.accepts_orders, reasons = excluded.reasons, asked_at = excluded.asked_at,
          version = store_account.version + case when (store_account.account_id, store_account.accepts_orders, store_account.reasons)
            is distinct from (excluded.account_id, excluded.accepts_orders, excluded.reasons) then 1 else 0 end,
          restricted_since = case when excluded.accepts_orders then null else coalesce(store_account.restricted_since, excluded.restricted_since) end
      where store_account.account_id <> excluded.account_id or store_account.asked_at <= excluded.asked_at
      returning store_id, version, old.version as version_before
    )
    select store_id, version from written where version is distinct from version_before`);

const RefusingStore = z.object({
  store_id: z.string(),
  version: z.number(),
  reasons: z.array(z.string()),
  refused: z.number(),
  since: z.string(),
});

/**
 * Takes the restricted stores that refused orders since their last report, if that was before an instant, and marks them as reported.
 * Orders refused before the restriction, for example because the store was switched off, do not count.
 */
export const takeRefusingStores = (tx: Transaction, reportedBefore: Date): Promise<readonly z.output<typeof RefusingStore>[]> =>
  tx.any(sql.prepared('take-refusing-stores', RefusingStore)`
    with refusing as (
      select a.store_id, r.refused, r.since, r.counted_to
      from store_account a cross join lateral (
        select count(*)::int as refused, min(r.at) as since, max(r.at) as counted_to
        from refusal r
        where r.store_id = a.store_id and r.code = 'STORE_NOT_ACCEPTING_ORDERS'
          and r.at > greatest(a.restricted_since, a.refusals_counted_to)
      ) r
      where not a.accepts_orders and r.refused > 0
        and (a.refusals_reported_at is null or a.refusals_reported_at < ${reportedBefore.toISOString()})
    )
    update store_account a set refusals_reported_at = ${tx.now.toISOString()}, refusals_counted_to = f.counted_to, version = a.version + 1
    from refusing f where f.store_id = a.store_id
      and (a.refusals_reported_at is null or a.refusals_reported_at < ${reportedBefore.toISOString()})
    returning a.store_id, a.version, a.reasons, f.refused, ${instantOf(sql.fragment`f.since`)} as since`);
