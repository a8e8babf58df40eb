import { type OutboxEntry, outboxEntry, type Transaction } from '@corner/chassis';
import { orderRefunded, orderRefundFailed } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../../order/rules/order-event.ts';
import { forceRetakeHolds, releaseHolds } from '../../order/tables/holds.ts';
import { enterMovements } from '../../order/tables/ledger.ts';
import { appendLog } from '../../order/tables/log.ts';
import { lockFamily } from '../../order/tables/order-family.ts';
import type { OrderRow } from '../../order/tables/orders.ts';
import type { ProviderOutcome } from '../../provider/rules.ts';
import { type RefundSettlement, settlementOf } from '../rules.ts';
import {
  findRefund,
  findRefundable,
  insertForeignRefund,
  lowerRefund,
  markRejected,
  markReversed,
  type RefundRow,
  writeSettlement,
} from '../tables.ts';

/**
 * Settles a refund as the provider reports it. `ownId` is the refund here that it was requested for. A refund that was made without one,
 * at the provider's dashboard, is stored once per provider id; so is a second one for the same request, which the provider made after
 * responding with an error.
 */
export async function enterProviderRefund(
  tx: Transaction,
  order: OrderRow,
  ownId: string | null,
  refund: ProviderOutcome & { readonly amountPence: number; readonly reversesTransfer: boolean },
): Promise<RefundRow | null> {
  const family = await lockFamily(tx, order.store_id, order.id);
  if (!family) return null;
  const own = ownId ? await findRefund(tx, ownId) : null;
  const isOwn = own !== null && (own.provider_refund_id ?? refund.id) === refund.id;
  return await settleLockedRefund(tx, family.main, isOwn ? own : await insertForeignRefund(tx, order, refund), refund);
}

/** A refund of a store's order. */
export type RefundOf = Pick<RefundRow, 'id' | 'store_id' | 'payment_order_id'>;

/**
 * Writes what the provider reports of a refund, and returns the updated refund. When it is accepted for the first time, the ledger,
 * the order's sums and the log change, and order.refunded is published; a full refund releases the promo code. When it fails after that,
 * all of it is taken back. Every failure is logged and published as order.refund_failed, also of a refund that was never accepted: the
 * store was answered that it is pending. A report of another refund at the provider than the stored one changes
 * nothing. Null when the store has no such refund.
 */
export async function settleRefund(
  tx: Transaction,
  { id, store_id, payment_order_id }: RefundOf,
  outcome: ProviderOutcome,
): Promise<RefundRow | null> {
  const family = await lockFamily(tx, store_id, payment_order_id);
  const refund = await findRefund(tx, id);
  return family && refund ? await settleLockedRefund(tx, family.main, refund, outcome) : refund;
}

/** As {@link settleRefund}, for a refund that was read under the lock of its order. */
export async function settleLockedRefund(
  tx: Transaction,
  order: OrderRow,
  refund: RefundRow,
  outcome: ProviderOutcome,
): Promise<RefundRow> {
  if ((refund.provider_refund_id ?? outcome.id) !== outcome.id) return refund;
  const settlement = settlementOf(order, refund, outcome);
  if (!settlement) return refund;
  const promoHold = { storeId: order.store_id, orderIds: [order.id], kinds: ['promo'] } as const;
  if (settlement.promo === 'release') await releaseHolds(tx, promoHold);
  if (settlement.promo === 'retake') await forceRetakeHolds(tx, promoHold);
  const { change } = settlement;
  const failed = { ...refund, failureReason: outcome.failureReason ?? null };
  await writeSettlement(tx, {
    refund,
    outcome,
    settlement,
    entries: change ? [logEntry(refund, outcome, change)] : [],
    events: change ? [settlementEvent(order, failed, settlement)] : [],
  });
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

function settlementEvent(order: OrderRow, refund: FailedRefund, settlement: RefundSettlement): OutboxEntry {
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
    return outboxEntry(orderRefunded, { ...nextVersionOf(order), data });
  }
  const removed = change === 'removed';
  const data = { ...fields, was_accepted: removed, was_full: removed && order.fully_refunded, reason: refund.failureReason };
  return outboxEntry(orderRefundFailed, { ...nextVersionOf(order), data });
}

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

/** Stores that the store's transfer was reversed by itself for a refund's missing part, once, also in the ledger. */
export async function noteReversal(
  tx: Transaction,
  order: OrderRow,
  refund: RefundRow,
  reversal: { readonly id: string; readonly amountPence: number },
): Promise<void> {
  await lockFamily(tx, order.store_id, order.id);
  await markReversed(tx, refund.id);
  const { id, amountPence } = reversal;
  await enterMovements(tx, order, [{ kind: 'transfer_reversal', provider_ref: id, amount_pence: amountPence, currency: order.currency }]);
}

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
