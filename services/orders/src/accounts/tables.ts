import { columns, instantOf, type Queries, type Transaction } from '@corner/chassis';
import { type ProviderMode, providerModes } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ProviderAccount } from './rules.ts';

const StoredAccount = z.object({
  account_id: z.string(),
  mode: z.enum(providerModes),
  accepts_orders: z.boolean(),
  reasons: z.array(z.string()),
  details_submitted: z.boolean(),
  payouts_enabled: z.boolean(),
  currently_due: z.array(z.string()),
  past_due: z.array(z.string()),
  due_by: z.string().nullable(),
});
export type StoredAccount = z.output<typeof StoredAccount>;

const accountColumns: FragmentSqlToken = columns(StoredAccount, { alias: 'c', overrides: { due_by: instantOf } });

const KnownAccount = z.object({ account_id: z.string(), stored: StoredAccount.nullable() });

export const findAccounts = (queries: Queries): Promise<readonly z.output<typeof KnownAccount>[]> =>
  queries.any(sql.prepared('find-accounts', KnownAccount)`
    select k.account_id, (select to_jsonb(a) from (select ${accountColumns} from connected_account c where c.account_id = k.account_id) a) as stored
    from (
      select connected_account_id as account_id from store where connected_account_id is not null
      union select account_id from connected_account where store_id is not null
    ) k
    order by k.account_id`);

export const findAccount = (queries: Queries, accountId: string): Promise<StoredAccount | null> =>
  queries.maybeOne(sql.prepared('find-account', StoredAccount)`
    select ${accountColumns} from connected_account c where c.account_id = ${accountId}`);

export const isOwnAccount = async (queries: Queries, accountId: string): Promise<boolean> =>
  (await queries.maybeOne(sql.prepared('is-own-account', z.object({ found: z.number() }))`
    select 1 as found from store where connected_account_id = ${accountId}
    union all select 1 from connected_account where account_id = ${accountId} and store_id is not null
    limit 1`)) !== null;

const AccountOfStore = z.object({
  name: z.string(),
  time_zone: z.string(),
  named: z.string().nullable(),
  opened: z.string().nullable(),
});

/**
 * Reads a store with the account that it names and the one that was opened for it, both of one mode; null for an unknown store. A named
 * account that was never read counts as being of this mode.
 */
export const findAccountOfStore = (
  queries: Queries,
  storeId: string,
  mode: ProviderMode,
): Promise<z.output<typeof AccountOfStore> | null> =>
  queries.maybeOne(sql.prepared('find-account-of-store', AccountOfStore)`
    select s.name, s.time_zone,
      (select o.account_id from connected_account o where o.store_id = s.id and o.mode = ${mode}) as opened,
      case when coalesce((select c.mode from connected_account c where c.account_id = s.connected_account_id), ${mode}) = ${mode}
        then s.connected_account_id end as named
    from store s where s.id = ${storeId}`);

export const writeOpenedAccount = (tx: Transaction, storeId: string, mode: ProviderMode, accountId: string): Promise<string> =>
  tx.oneFirst(sql.prepared('write-opened-account', z.object({ account_id: z.string() }))`
    insert into connected_account (account_id, store_id, mode) values (${accountId}, ${storeId}, ${mode})
    on conflict (store_id, mode) do update set account_id = connected_account.account_id
    returning account_id`);

const Described = z.object({ store_id: z.string().nullable(), named: z.string().nullable(), connected_now: z.boolean() });

/**
 * Writes the state that an account had at `askedAt`, unless a newer one is stored. Returns the store that it was opened for with the
 * account that the store names, and whether payments can go to it for the first time; null when nothing was written. An account that the
 * provider does not know is not added.
 */
export const describeAccount = (
  tx: Transaction,
  { id, acceptsOrders, takesTransfers, reasons, facts }: ProviderAccount,
  mode: ProviderMode,
  askedAt: Date,
): Promise<z.output<typeof Described> | null> =>
  tx.maybeOne(sql.prepared('describe-account', Described)`
    insert into connected_account as c (account_id, mode, accepts_orders, reasons, details_submitted, payouts_enabled, currently_due, past_due,
      due_by, asked_at)
    select ${id}, ${mode}, ${acceptsOrders} or ${takesTransfers} and exists (
        select from connected_account a join store s on s.id = a.store_id where a.account_id = ${id} and not s.on_behalf_of
      ), ${sql.jsonb([...reasons])}, ${facts?.detailsSubmitted ?? false}, ${facts?.payoutsEnabled ?? false},
      ${sql.jsonb([...(facts?.currentlyDue ?? [])])}, ${sql.jsonb([...(facts?.pastDue ?? [])])},
      ${facts?.dueBy?.toISOString() ?? null}, ${askedAt.toISOString()}
    where ${facts !== null} or exists (select from connected_account where account_id = ${id})
    on conflict (account_id) do update
    set accepts_orders = excluded.accepts_orders, reasons = excluded.reasons, details_submitted = excluded.details_submitted,
        payouts_enabled = excluded.payouts_enabled, currently_due = excluded.currently_due, past_due = excluded.past_due,
        due_by = excluded.due_by, asked_at = excluded.asked_at,
        connected_at = coalesce(c.connected_at, case when excluded.accepts_orders then ${tx.now.toISOString()}::timestamptz end)
    where c.mode = excluded.mode and (c.asked_at is null or c.asked_at <= excluded.asked_at)
    returning store_id, (select s.connected_account_id from store s where s.id = c.store_id) as named,
      c.store_id is not null and c.connected_at is not null and old.connected_at is null as connected_now`);

export const findUnseenAccounts = (queries: Queries): Promise<readonly string[]> =>
  queries.anyFirst(sql.prepared('unseen-accounts', z.object({ account_id: z.string() }))`
    select distinct s.connected_account_id as account_id
    from store s left join store_account a on a.store_id = s.id and a.account_id = s.connected_account_id
      left join connected_account c on c.account_id = a.account_id
    where s.connected_account_id is not null and (a.store_id is null
      or c.reasons ->> 0 = 'charges_disabled' and not c.reasons ? 'transfers_inactive' and a.accepts_orders = s.on_behalf_of)
    order by 1 limit 50`);

/** Locks the stored states of an account, one for each store that names it, and returns the ids of the stores that accept no orders. */
export const lockRestrictedStores = (tx: Transaction, accountId: string): Promise<readonly string[]> =>
  tx.anyFirst(sql.prepared('lock-store-accounts', z.object({ store_id: z.string() }))`
    with locked as (
      select a.store_id, a.accepts_orders from store_account a join store s on s.id = a.store_id
      where s.connected_account_id = ${accountId} order by a.store_id for update of a
    )
    select store_id from locked where not accepts_orders`);

const ChangedStore = z.object({ store_id: z.string(), version: z.number(), accepts_orders: z.boolean(), reasons: z.array(z.string()) });

/**
 * Writes the state that an account had at `askedAt` for every store that names it, and returns the stores for which something changed. A
 * store with a newer state keeps it.
 */
export const writeAccount = (
  tx: Transaction,
  { id, acceptsOrders, takesTransfers, reasons }: ProviderAccount,
  askedAt: Date,
): Promise<readonly z.output<typeof ChangedStore>[]> =>
  tx.any(sql.prepared('write-account', ChangedStore)`
    with decided as (
      select s.id, ${acceptsOrders} or ${takesTransfers} and not s.on_behalf_of as accepts
      from store s where s.connected_account_id = ${id}
    ),
    written as (
      insert into store_account (store_id, account_id, accepts_orders, reasons, version, restricted_since, asked_at)
      select d.id, ${id}, d.accepts, case when d.accepts then '[]' else ${sql.jsonb([...reasons])} end, 1,
        case when d.accepts then null else ${tx.now.toISOString()}::timestamptz end, ${askedAt.toISOString()}
      from decided d order by d.id
      on conflict (store_id) do update
      set account_id = excluded.account_id, accepts_orders = excluded.accepts_orders, reasons = excluded.reasons, asked_at = excluded.asked_at,
          version = store_account.version + case when (store_account.account_id, store_account.accepts_orders, store_account.reasons)
            is distinct from (excluded.account_id, excluded.accepts_orders, excluded.reasons) then 1 else 0 end,
          restricted_since = case when excluded.accepts_orders then null else coalesce(store_account.restricted_since, excluded.restricted_since) end
      where store_account.account_id <> excluded.account_id or store_account.asked_at <= excluded.asked_at
      returning store_id, version, accepts_orders, reasons, old.version as version_before
    )
    select store_id, version, accepts_orders, reasons from written where version is distinct from version_before`);

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
