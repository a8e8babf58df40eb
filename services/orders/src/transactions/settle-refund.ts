import { publish, type Transaction } from '@corner/chassis';
import { orderRefunded, orderRefundFailed } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../rules/order-event.ts';
import { type ProviderOutcome, type RefundSettlement, settlementOf } from '../rules/refund-settlement.ts';
import { forceRetakeHolds, releaseHolds } from '../tables/holds.ts';
import { appendLog } from '../tables/log.ts';
import { lockFamily } from '../tables/order-family.ts';
import type { OrderRow } from '../tables/orders.ts';
import { enterRefund, findPaymentOrderId, findRefund, type RefundRow, writeSettlement } from '../tables/refunds.ts';

/**
 * Writes what the provider reports of a refund, and returns the updated refund. When it is accepted for the first time, the ledger,
 * the order's sums and the log change, and order.refunded is published; a full refund releases the promo code. When it fails after that,
 * all of it is taken back. Every failure is logged and published as order.refund_failed, also of a refund that was never accepted: the
 * store was answered that it is pending. A report of another refund at the provider than the stored one changes
 * nothing. Null when the store has no such refund.
 */
export async function settleRefund(
  tx: Transaction,
  storeId: string,
  refundId: string,
  outcome: ProviderOutcome,
): Promise<RefundRow | null> {
  const paymentOrderId = await findPaymentOrderId(tx, storeId, refundId);
  if (!paymentOrderId) return null;
  const family = await lockFamily(tx, storeId, paymentOrderId);
  const refund = await findRefund(tx, refundId);
  if (!family || !refund) return refund;
  if ((refund.provider_refund_id ?? outcome.id) !== outcome.id) return refund;
  const order = family.main;
  const settlement = settlementOf(order, refund, outcome);
  if (!settlement) return refund;
  await writeSettlement(tx, refund, outcome, settlement);
  const promoHold = { storeId, orderIds: [order.id], kinds: ['promo'] } as const;
  if (settlement.promo === 'release') await releaseHolds(tx, promoHold);
  if (settlement.promo === 'retake') await forceRetakeHolds(tx, promoHold);
  if (settlement.change) {
    if (settlement.change !== 'failed') await enterRefund(tx, refund, outcome.id, settlement.change);
    await appendLog(tx, logEntry(refund, outcome, settlement.change));
    await publishSettlement(tx, order, { ...refund, failureReason: outcome.failureReason ?? null }, settlement);
  }
  return { ...refund, status: outcome.status, provider_refund_id: outcome.id, counted: settlement.counted };
}

const titles = {
  added: 'The refund was accepted',
  removed: 'The refund failed at the payment provider; the customer does not get the money',
  failed: 'The refund failed at the payment provider; no money moved',
};

const logEntry = (refund: RefundRow, { failureReason }: ProviderOutcome, change: keyof typeof titles) => ({
  storeId: refund.store_id,
  orderId: refund.order_id,
  kind: change === 'added' ? 'refund_succeeded' : 'refund_failed',
  title: titles[change],
  detail: change === 'added' || !failureReason ? refund.reason : `${refund.reason} (${failureReason})`,
  actor: refund.by_name,
  amountPence: refund.amount_pence,
});

type FailedRefund = RefundRow & { readonly failureReason: string | null };

async function publishSettlement(tx: Transaction, order: OrderRow, refund: FailedRefund, settlement: RefundSettlement): Promise<void> {
  const { change, refundedPence, fullyRefunded } = settlement;
  const fields = {
    ...orderFields(order),
    refund_id: refund.id,
    amount_pence: refund.amount_pence,
    cumulative_pence: refundedPence,
    currency: order.currency,
  };
  if (change === 'added') {
    const data = { ...fields, paid_pence: order.total_pence, full: fullyRefunded, voucher_id: order.voucher_id };
    await publish(tx, orderRefunded, { ...nextVersionOf(order), data });
  } else {
    await publish(tx, orderRefundFailed, {
      ...nextVersionOf(order),
      data: {
        ...fields,
        was_accepted: change === 'removed',
        was_full: change === 'removed' && order.fully_refunded,
        reason: refund.failureReason,
      },
    });
  }
}
