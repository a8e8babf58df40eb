import { instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { LedgerEntry } from '../order/tables/ledger.ts';

/** A difference between the ledger and the provider's balance; null for a side without an entry. */
export interface Difference {
  readonly kind: string;
  readonly provider_ref: string;
  readonly store_id: string;
  readonly order_id: string;
  readonly provider_pence: number | null;
  readonly ledger_pence: number | null;
  readonly currency: string;
}

const OpenDifference = z.object({
  kind: z.string(),
  provider_ref: z.string(),
  provider_pence: z.number().nullable(),
});
export type OpenDifference = z.output<typeof OpenDifference>;

export const recordDifference = async (tx: Transaction, d: Difference): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('record-difference', z.object({ kind: z.string() }))`
    insert into ledger_difference (kind, provider_ref, store_id, order_id, provider_pence, ledger_pence, currency, found_at)
    values (${d.kind}, ${d.provider_ref}, ${d.store_id}, ${d.order_id}, ${d.provider_pence}, ${d.ledger_pence}, ${d.currency}, ${tx.now.toISOString()})
    on conflict do nothing returning kind`)) !== null;

/** Reads the open differences. Those of payouts are left to a person: a payout does not change any more. */
export const findOpenDifferences = (queries: Queries): Promise<readonly OpenDifference[]> =>
  queries.any(sql.prepared('open-differences', OpenDifference)`
    select kind, provider_ref, provider_pence from ledger_difference where explained_at is null and kind <> 'payout' order by found_at limit 1000`);

export async function markExplained(queries: Queries, { kind, provider_ref }: OpenDifference, now: Date): Promise<void> {
  await queries.query(sql.prepared('explain-difference', NoColumns)`
    update ledger_difference set explained_at = ${now.toISOString()}
    where kind = ${kind} and provider_ref = ${provider_ref} and explained_at is null`);
}

/** Reads the ledger's rows by provider references; counter payments have none. */
export const findEntered = (queries: Queries, refs: readonly string[]): Promise<readonly LedgerEntry[]> =>
  queries.any(sql.prepared('entered', LedgerEntry)`
    select kind, provider_ref, amount_pence, store_id, order_id from ledger
    where provider_ref = any(${sql.array([...refs], 'text')}) and tender is null`);

export async function writeProviderFees(
  queries: Queries,
  fees: readonly { readonly provider_ref: string; readonly fee_pence: number }[],
): Promise<void> {
  if (fees.length === 0) return;
  await queries.query(sql.prepared('write-provider-fees', NoColumns)`
    update ledger l set provider_fee_pence = f.fee_pence
    from jsonb_to_recordset(${sql.jsonb(fees)}) as f(provider_ref text, fee_pence integer)
    where l.kind = 'charge' and l.provider_ref = f.provider_ref and l.provider_fee_pence is null`);
}

/** Reads the rows of a span of time that the provider must have too: not those of free orders or of counter payments. */
export const findEnteredBetween = (queries: Queries, from: Date, to: Date, mode: ProviderMode): Promise<readonly LedgerEntry[]> =>
  queries.any(sql.prepared('entered-between', LedgerEntry)`
    select kind, provider_ref, amount_pence, store_id, order_id from ledger
    where at > ${from.toISOString()} and at <= ${to.toISOString()} and kind <> 'dispute_fee' and tender is null
      and provider_ref not like 'free:%' and provider_ref not like 'rf\\_%'
      and (select coalesce(o.payment_mode, ${mode}) from orders o where o.id = ledger.order_id) = ${mode}`);

/** Limits the returned entries of a day; the sums cover all. */
const entriesAtMost = 2_000;

const Day = z.object({
  currency: z.string(),
  orders: z.number(),
  gross: z.number(),
  refunds: z.number(),
  fees: z.number(),
  dispute_shares: z.number(),
  entries: z.array(
    z.object({
      at: z.string(),
      kind: z.enum(['charge', 'refund', 'refund_failed', 'transfer_reversal', 'transfer']),
      order_id: z.string(),
      order_number: z.string(),
      amount: z.number(),
      fee: z.number(),
      provider_id: z.string(),
    }),
  ),
  disputes: z.array(
    z.object({
      order_id: z.string(),
      order_number: z.string(),
      state: z.string(),
      amount: z.number(),
      respond_by: z.string().nullable(),
    }),
  ),
});
export type Day = z.output<typeof Day>;

/**
 * The common table expressions that end in `entry`: the ledger rows that move a store's money, in the span `store_day` (id, begins, ends),
 * which precedes them. The ledger has the platform's side, so each row is converted to the store's. A refund borne by the platform, or by
 * the reversal of an earlier failed refund, does not move the store's money. The fee on refunded money is returned, rounded by running
 * totals. Each row finds its order, refund and dispute by an index (`offset 0`), whatever size the planner expects of the span.
 */
export const storeEntriesSql = sql.fragment`moved as materialized (
    select l.*, d.id as share_of from store_day s
    join ledger l on l.at >= s.begins and l.at < s.ends and l.store_id = s.id and l.kind not in ('dispute', 'dispute_returned', 'dispute_fee')
    left join lateral (select d.id from dispute d where l.kind = 'transfer_reversal' and d.reversal_id = l.provider_ref offset 0) d on true
  ), given_back as (
    select l.id, o.application_fee_pence as fee, greatest(o.total_pence, 1) as paid, l.order_id,
      sum(abs(l.amount_pence)) over (partition by l.order_id order by l.id) as total,
      abs(l.amount_pence) as part
    from (select distinct order_id from moved where kind in ('refund', 'transfer_reversal')) touched
    cross join lateral (select * from ledger l where l.order_id = touched.order_id offset 0) l
    cross join lateral (select * from orders o where o.id = l.order_id offset 0) o
    left join lateral (select r.borne_by from refund r where l.kind = 'refund' and r.provider_refund_id = l.provider_ref offset 0) r on true
    left join lateral (select d.id from dispute d where l.kind = 'transfer_reversal' and d.reversal_id = l.provider_ref offset 0) d on true
    where (l.kind = 'refund' and coalesce(r.borne_by, 'store') = 'store') or (l.kind = 'transfer_reversal' and d.id is null)
  ), entry as materialized (
    select m.id, m.at, m.kind, m.order_id, o.order_number, m.share_of, m.provider_ref,
      case
        when m.kind in ('charge', 'transfer') then abs(m.amount_pence)
        when m.kind = 'transfer_reversal' or g.id is not null then -abs(m.amount_pence)
        else 0
      end as amount,
      case
        when m.kind = 'charge' then o.application_fee_pence
        when g.id is not null then (round(g.fee::numeric * least(g.total - g.part, g.paid) / g.paid) - round(g.fee::numeric * least(g.total, g.paid) / g.paid))::int
        else 0
      end as fee
    from moved m cross join lateral (select * from orders o where o.id = m.order_id offset 0) o left join given_back g on g.id = m.id
  )`;

/**
 * Reads a store's day, from midnight to midnight in its time zone, from the ledger; null when there is no such store.
 */
export const readDayOfMoney = (queries: Queries, storeId: string, date: string): Promise<Day | null> =>
  queries.maybeOne(sql.prepared('read-day-of-money', Day)`
    with store_day as (
      select id, currency, ${date}::date::timestamp at time zone time_zone as begins, (${date}::date + 1)::timestamp at time zone time_zone as ends
      from store where id = ${storeId}
    ), ${storeEntriesSql}
    select s.currency,
      (select count(distinct order_id) from entry where kind = 'charge') as orders,
      (select coalesce(sum(amount), 0)::int from entry where kind = 'charge') as gross,
      (select coalesce(-sum(amount), 0)::int from entry where kind in ('refund', 'transfer_reversal') and share_of is null) as refunds,
      (select coalesce(sum(fee), 0)::int from entry) as fees,
      (select coalesce(-sum(amount), 0)::int from entry where share_of is not null or kind = 'transfer') as dispute_shares,
      coalesce((select jsonb_agg(jsonb_build_object('at', ${instantOf(sql.fragment`e.at`)}, 'kind', e.kind, 'order_id', e.order_id,
        'order_number', e.order_number, 'amount', e.amount, 'fee', e.fee, 'provider_id', e.provider_ref) order by e.id)
        from (select * from entry order by id limit ${entriesAtMost}) e), '[]') as entries,
      coalesce((select jsonb_agg(jsonb_build_object('order_id', d.order_id, 'order_number', o.order_number, 'state', d.state,
        'amount', d.amount_pence, 'respond_by', ${instantOf(sql.fragment`d.evidence_due_by`)}) order by d.evidence_due_by, d.id)
        from dispute d join orders o on o.id = d.order_id where d.state = 'opened' and d.store_id = s.id), '[]') as disputes
    from store_day s`);
