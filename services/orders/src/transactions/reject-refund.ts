import type { Transaction } from '@corner/chassis';
import { appendLog } from '../tables/log.ts';
import { markRejected, type RefundRow } from '../tables/refunds.ts';

/** Marks a refund the provider declined: no money moved, and the attempt is used up. Returns false when it was no longer pending. */
export async function rejectRefund(tx: Transaction, refund: RefundRow, reason: string): Promise<boolean> {
  if (!(await markRejected(tx, refund.id))) return false;
  await appendLog(tx, {
    storeId: refund.store_id,
    orderId: refund.order_id,
    kind: 'refund_failed',
    title: 'The payment provider declined the refund',
    detail: reason,
    actor: refund.by_name,
    amountPence: refund.amount_pence,
  });
  return true;
}
