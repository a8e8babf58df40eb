import { columns, instantOf, NoColumns, type Queries, type Transaction } from '@corner/chassis';
import type { ProviderMode } from '@corner/contracts';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { ProviderDispute } from './rules.ts';

export const DisputeRow = z.object({
  id: z.string(),
  store_id: z.string(),
  order_id: z.string(),
  state: z.enum(['opened', 'won', 'lost']),
  amount_pence: z.number(),
  currency: z.string(),
  evidence_due_by: z.string().nullable(),
  awaits_evidence: z.boolean(),
  borne_by: z.enum(['store', 'platform']),
  share_pence: z.number().nullable(),
  reversal_id: z.string().nullable(),
  repayment_id: z.string().nullable(),
  share_due_at: z.string().nullable(),
  share_failures: z.number(),
  asked_at: z.string(),
});
export type DisputeRow = z.output<typeof DisputeRow>;

const disputeColumns: FragmentSqlToken = columns(DisputeRow, {
  overrides: { evidence_due_by: instantOf, share_due_at: instantOf, asked_at: instantOf },
});

export const findDisputes = (queries: Queries, orderId: string): Promise<readonly DisputeRow[]> =>
  queries.any(sql.prepared('disputes-of-order', DisputeRow)`select ${disputeColumns} from dispute where order_id = ${orderId} order by id`);

export const lockDispute = (tx: Transaction, id: string): Promise<DisputeRow | null> =>
  tx.maybeOne(sql.prepared('lock-dispute', DisputeRow)`select ${disputeColumns} from dispute where id = ${id} for update`);

export const findDueShares = (queries: Queries, now: Date, mode: ProviderMode): Promise<readonly DisputeRow[]> =>
  queries.any(sql.prepared('due-shares', DisputeRow)`
    select ${disputeColumns} from dispute where share_due_at <= ${now.toISOString()}
      and (select coalesce(o.payment_mode, ${mode}) from orders o where o.id = dispute.order_id) = ${mode}
    order by share_due_at limit 100`);

export const writeDispute = (
  tx: Transaction,
  order: { readonly id: string; readonly store_id: string },
  dispute: ProviderDispute & { readonly state: DisputeRow['state'] },
  askedAt: Date,
): Promise<DisputeRow> =>
  tx.one(sql.prepared('write-dispute', DisputeRow)`
    insert into dispute (id, store_id, order_id, state, reason, amount_pence, currency, evidence_due_by, awaits_evidence, borne_by, first_seen_at,
      asked_at)
    select ${dispute.id}, ${order.store_id}, ${order.id}, ${dispute.state}, ${dispute.reason}, ${dispute.amountPence}, ${dispute.currency},
      ${dispute.evidenceDueBy?.toISOString() ?? null}, ${dispute.awaitsEvidence}, s.disputes_borne_by, ${tx.now.toISOString()},
      ${askedAt.toISOString()}
    from store s where s.id = ${order.store_id}
    on conflict (id) do update
    set state = excluded.state, reason = excluded.reason, amount_pence = excluded.amount_pence, evidence_due_by = excluded.evidence_due_by,
        awaits_evidence = excluded.awaits_evidence, asked_at = excluded.asked_at
    returning ${disputeColumns}`);

export type Share = Pick<DisputeRow, 'share_pence' | 'reversal_id' | 'repayment_id' | 'share_due_at' | 'share_failures'>;

export async function writeShare(tx: Transaction, dispute: DisputeRow, changes: Partial<Share>): Promise<DisputeRow> {
  const changed = { ...dispute, ...changes };
  await tx.query(sql.prepared('write-share', NoColumns)`
    update dispute
    set share_pence = ${changed.share_pence}, reversal_id = ${changed.reversal_id}, repayment_id = ${changed.repayment_id},
        share_due_at = ${changed.share_due_at}, share_failures = ${changed.share_failures}
    where id = ${dispute.id} and store_id = ${dispute.store_id}`);
  return changed;
}

/** Sums the refunds that the provider took from the store's transfer, failed ones included, in pence. */
export const sumBorneByStore = (tx: Transaction, orderId: string): Promise<number> =>
  tx.oneFirst(sql.prepared('sum-borne-by-store', z.object({ pence: z.number() }))`
    select coalesce(sum(amount_pence), 0)::int as pence from refund
    where payment_order_id = ${orderId} and borne_by = 'store' and provider_refund_id is not null and status <> 'rejected'`);

/** Writes whether the payment of an order and its legs is disputed, and increments the order's version. */
export async function writeDisputed(tx: Transaction, orderId: string, disputed: boolean): Promise<void> {
  await tx.query(sql.prepared('write-disputed', NoColumns)`
    update orders set disputed = ${disputed}, version = version + case when id = ${orderId} then 1 else 0 end
    where id = ${orderId} or parent_order_id = ${orderId}`);
}
