import type { Transaction } from '@corner/chassis';
import { businessMove } from '../../order/rules/transitions.ts';
import { lockFamily } from '../../order/tables/order-family.ts';
import { refundKey } from '../../provider/rules.ts';
import { findRefundable, insertRefund, owedAttempts, type RefundRow } from '../../refunds/index.ts';
import { type MoveReason, moveOrder } from './move-order.ts';

export interface PaidMeanwhile {
  readonly storeId: string;
  readonly orderId: string;
  readonly by: MoveReason;
}

/**
 * Cancels an order that was paid while it was being cancelled, and reserves the refund of all that is left of its payment. Returns the
 * refund; null when there is nothing to refund. Throws INVALID_TRANSITION when the order can no longer be cancelled: then it stays paid.
 */
export async function cancelWithRefund(tx: Transaction, { storeId, orderId, by }: PaidMeanwhile): Promise<RefundRow | null> {
  const family = await lockFamily(tx, storeId, orderId);
  if (family?.main.payment_status !== 'paid') return null;
  const { main } = family;
  const move = businessMove(main, 'cancelled', { note: Boolean(by.note), manages: false });
  if (move) await moveOrder(tx, family, move, { ...by, isRefunded: true });
  const [left] = await findRefundable(tx, orderId, [orderId]);
  if (!left || left.pence <= 0) return null;
  const attempt = owedAttempts.whileCancelled;
  const reason = 'The payment came while the order was being cancelled.';
  const entry = { storeId, orderId, kind: 'refund_requested', title: 'A refund was requested', detail: reason, amountPence: left.pence };
  const refund = {
    storeId,
    paymentOrderId: orderId,
    orderId,
    attempt,
    key: refundKey(orderId, attempt),
    amountPence: left.pence,
    requestedPence: null,
    reason,
    byId: 'corner',
    byName: null,
    borneBy: 'store',
    toReversePence: 0,
  } as const;
  return await insertRefund(tx, refund, entry);
}
