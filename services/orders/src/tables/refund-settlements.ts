import { type OutboxEntry, outboxInserted, type Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';
import type { ProviderOutcome, RefundSettlement } from '../rules/refund-settlement.ts';
import { type LogEntry, logAppended } from './log.ts';
import type { RefundRow } from './refunds.ts';

/** What is written of a refund that the provider has settled. */
export interface SettledRefund {
  readonly refund: RefundRow;
  readonly outcome: ProviderOutcome;
  readonly settlement: RefundSettlement;
  readonly entries: readonly LogEntry[];
  readonly events: readonly OutboxEntry[];
}

/**
 * Writes a settled refund, the money that moved back to the customer (or, of a failed refund, back again), the refunded sums of its locked
 * order and legs, the log and the events. A leg's own sum counts the refunds made for it.
 */
export async function writeSettlement(tx: Transaction, { refund, outcome, settlement, entries, events }: SettledRefund): Promise<void> {
  const { counted, change, refundedPence, fullyRefunded } = settlement;
  const orderId = refund.payment_order_id;
  const added = change === 'added';
  await tx.query(sql.prepared('settle-refund', z.object({}))`
    with settled as (
      update refund set status = ${outcome.status}, provider_refund_id = ${outcome.id}, counted = ${counted}, settled_at = ${tx.now.toISOString()}
      where id = ${refund.id}
    ), call_done as (
      update provider_call c set state = 'done', provider_id = ${outcome.id}, ended_at = ${tx.now.toISOString()}, look_at = null
      where c.purpose = 'refund' and c.reference in (${refund.id}, ${`${refund.id}:platform`}) and c.state in ('requested', 'failed')
        and not exists (select from provider_call later where later.purpose = c.purpose and later.reference = c.reference and later.attempt > c.attempt)
    ), entered as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      select ${refund.store_id}, ${orderId}, ${added ? 'refund' : 'refund_failed'}, ${outcome.id},
        ${added ? -refund.amount_pence : refund.amount_pence}, ${tx.now.toISOString()}
      where ${added || change === 'removed'}
    ), logged as (${logAppended(tx.now, entries)}), published as (${outboxInserted(events)})
    update orders o
    set refunded_pence = case when o.parent_order_id is null then ${refundedPence} when ${fullyRefunded} then o.total_pence else own.pence end,
        fully_refunded = ${fullyRefunded} or (o.parent_order_id is not null and o.total_pence > 0 and own.pence >= o.total_pence),
        version = o.version + case when o.parent_order_id is null and ${change !== null} then 1 else 0 end
    from orders f, lateral (
      select coalesce(sum(r.amount_pence) filter (where case when r.id = ${refund.id} then ${counted} else r.counted end), 0)::int as pence
      from refund r where r.order_id = f.id and r.payment_order_id = ${orderId}
    ) own
    where f.id = o.id and (f.id = ${orderId} or f.parent_order_id = ${orderId}) and (o.id = ${orderId} or o.parent_order_id = ${orderId})`);
}
