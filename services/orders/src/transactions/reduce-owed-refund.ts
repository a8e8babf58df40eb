import type { Transaction } from '@corner/chassis';
import { appendLog } from '../tables/log.ts';
import { lockFamily } from '../tables/order-family.ts';
import { findRefund, findRefundable, lowerRefund, type RefundRow } from '../tables/refunds.ts';

/**
 * Lowers a pending refund that is owed to what other refunds have left of the payment, and returns it. A refund that fits, or that has
 * ended, stays as it is. Null when nothing is left.
 */
export async function reduceOwedRefund(
  tx: Transaction,
  { id, store_id: storeId, payment_order_id: orderId }: RefundRow,
): Promise<RefundRow | null> {
  await lockFamily(tx, storeId, orderId);
  const refund = await findRefund(tx, id);
  if (refund?.status !== 'pending' || refund.provider_refund_id) return refund;
  const [left] = await findRefundable(tx, orderId, [orderId]);
  // Its own amount is reserved too.
  const amountPence = Math.min(refund.amount_pence, refund.amount_pence + (left?.pence ?? 0));
  if (amountPence <= 0) return null;
  if (amountPence === refund.amount_pence) return refund;
  await lowerRefund(tx, id, amountPence);
  const title = 'The refund was lowered to what is left of the payment';
  await appendLog(tx, { storeId, orderId, kind: 'refund_requested', title, detail: refund.reason, amountPence });
  return { ...refund, amount_pence: amountPence };
}
