import type { Queries, Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import { LedgerEntry } from './ledger.ts';

/** A difference between the ledger and the provider's balance; null for a side that has nothing. */
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

/** Records a difference, once for its kind and reference. Returns whether it is new. */
export const recordDifference = async (tx: Transaction, d: Difference): Promise<boolean> =>
  (await tx.maybeOne(sql.prepared('record-difference', z.object({ kind: z.string() }))`
    insert into ledger_difference (kind, provider_ref, store_id, order_id, provider_pence, ledger_pence, currency, found_at)
    values (${d.kind}, ${d.provider_ref}, ${d.store_id}, ${d.order_id}, ${d.provider_pence}, ${d.ledger_pence}, ${d.currency}, ${tx.now.toISOString()})
    on conflict do nothing returning kind`)) !== null;

/** Reads the differences that are not explained. */
export const findOpenDifferences = (queries: Queries): Promise<readonly OpenDifference[]> =>
  queries.any(sql.prepared('open-differences', OpenDifference)`
    select kind, provider_ref, provider_pence from ledger_difference where explained_at is null order by found_at limit 1000`);

/** Marks a difference as explained. */
export async function markExplained(queries: Queries, { kind, provider_ref }: OpenDifference, now: Date): Promise<void> {
  await queries.query(sql.prepared('explain-difference', z.object({}))`
    update ledger_difference set explained_at = ${now.toISOString()}
    where kind = ${kind} and provider_ref = ${provider_ref} and explained_at is null`);
}

/** Reads the ledger's rows of some references of the provider. */
export const findEntered = (queries: Queries, refs: readonly string[]): Promise<readonly LedgerEntry[]> =>
  queries.any(sql.prepared('entered', LedgerEntry)`
    select kind, provider_ref, amount_pence, store_id, order_id from ledger where provider_ref = any(${sql.array([...refs], 'text')})`);

/** Reads the rows that were entered in a span of time and that the provider must have too: not those of orders that cost nothing. */
export const findEnteredBetween = (queries: Queries, from: Date, to: Date): Promise<readonly LedgerEntry[]> =>
  queries.any(sql.prepared('entered-between', LedgerEntry)`
    select kind, provider_ref, amount_pence, store_id, order_id from ledger
    where at > ${from.toISOString()} and at <= ${to.toISOString()} and kind <> 'dispute_fee'
      and provider_ref not like 'free:%' and provider_ref not like 'rf\\_%'`);
