import { columns, instantOf, type Queries, type Transaction } from '@corner/chassis';
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
  /** When the provider was asked for this state. */
  asked_at: z.string(),
});
export type DisputeRow = z.output<typeof DisputeRow>;

const disputeColumns: FragmentSqlToken = columns(DisputeRow, {
  overrides: { evidence_due_by: instantOf, share_due_at: instantOf, asked_at: instantOf },
});

/** Reads the disputes of an order. */
export const findDisputes = (queries: Queries, orderId: string): Promise<readonly DisputeRow[]> =>
  queries.any(sql.prepared('disputes-of-order', DisputeRow)`select ${disputeColumns} from dispute where order_id = ${orderId} order by id`);

/** Reads a dispute and locks it until the transaction ends; null when there is none. */
export const lockDispute = (tx: Transaction, id: string): Promise<DisputeRow | null> =>
  tx.maybeOne(sql.prepared('lock-dispute', DisputeRow)`select ${disputeColumns} from dispute where id = ${id} for update`);

/** Reads the disputes whose share is due to be moved, longest due first. */
export const findDueShares = (queries: Queries, now: Date): Promise<readonly DisputeRow[]> =>
  queries.any(sql.prepared('due-shares', DisputeRow)`
    select ${disputeColumns} from dispute where share_due_at <= ${now.toISOString()} order by share_due_at limit 100`);

/** Writes a dispute as the provider reported it when it was asked at `askedAt`. Who bears it is kept as it was when the dispute was first seen. */
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

/** Writes what is to be taken back of the store's transfer, unless that is decided already. */
export async function decideShare(tx: Transaction, id: string, sharePence: number): Promise<void> {
  await tx.query(sql.prepared('decide-share', z.object({}))`
    update dispute set share_pence = ${sharePence} where id = ${id} and share_pence is null`);
}

/** Writes when the share is to be moved next; null for not at all. */
export async function scheduleShare(tx: Transaction, id: string, dueAt: Date | null, failures: number): Promise<void> {
  await tx.query(sql.prepared('schedule-share', z.object({}))`
    update dispute set share_due_at = ${dueAt?.toISOString() ?? null}, share_failures = ${failures} where id = ${id}`);
}

/** Writes the provider's id of a movement of the share. */
export async function writeShareMovement(tx: Transaction, id: string, step: 'reverse' | 'repay', movementId: string): Promise<void> {
  await tx.query(sql.prepared('write-share-movement', z.object({}))`
    update dispute
    set reversal_id = case when ${step} = 'reverse' then ${movementId} else reversal_id end,
        repayment_id = case when ${step} = 'repay' then ${movementId} else repayment_id end
    where id = ${id}`);
}

/** Reads how much of an order's payment its store has borne by refunds: those the provider took from its transfer, failed ones included. */
export const sumBorneByStore = (tx: Transaction, orderId: string): Promise<number> =>
  tx.oneFirst(sql.prepared('sum-borne-by-store', z.object({ pence: z.number() }))`
    select coalesce(sum(amount_pence), 0)::int as pence from refund
    where payment_order_id = ${orderId} and borne_by = 'store' and provider_refund_id is not null and status <> 'rejected'`);

/** Notes on an order and its legs whether the payment is disputed, and numbers the change. */
export async function writeDisputed(tx: Transaction, orderId: string, disputed: boolean): Promise<void> {
  await tx.query(sql.prepared('write-disputed', z.object({}))`
    update orders set disputed = ${disputed}, version = version + case when id = ${orderId} then 1 else 0 end
    where id = ${orderId} or parent_order_id = ${orderId}`);
}
