import { crashPoint, type Operation, type Transaction } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { decideRefund } from '../rules/refunds.ts';
import { refundAtProvider } from '../sagas/refund-at-provider.ts';
import { lockFamily } from '../tables/orders.ts';
import { findAttempt, type RefundRow, reservedFor, reserveRefund } from '../tables/refunds.ts';

type Refund = Operation<typeof orders.refundOrder, Context>;

/**
 * Refunds an order in full or in part. The amount is reserved under the order's lock and committed; then the provider is asked,
 * once for each attempt however often it is repeated; then what it answered is written down. No answer leaves it pending.
 */
export const refundOrder: Refund = async (request, context) => {
  const refund = await context.database.transaction((tx) => reserve(tx, request, context));
  crashPoint('orders.refund.after-reserve');
  const settled = refund.status === 'pending' && refund.provider_refund_id === null ? await refundAtProvider(context, refund) : refund;
  if (settled.status === 'rejected') throw new Problem('REFUND_REJECTED');
  crashPoint('orders.refund.before-answer');
  return { refund: { id: settled.provider_refund_id ?? `rf_${settled.id}`, status: settled.status, amount: settled.amount_pence } };
};

/** The refund of this attempt: the one made before, or a new one. A leg's is charged to the payment of the order it belongs to. */
async function reserve(
  tx: Transaction,
  { caller, params, body, idempotencyKey }: Parameters<Refund>[0],
  { now, newId }: Context,
): Promise<RefundRow> {
  const family = await lockFamily(tx, body.store_id, params.orderId);
  if (!family) throw new Problem('ORDER_NOT_FOUND');
  const { main: payment, named: target } = family;
  const named = body.refund_attempt_id ?? idempotencyKey ?? 'default';
  const attempt = target === payment ? named : `${target.id}:${named}`;
  const before = await findAttempt(tx, payment.id, attempt);
  if (before) {
    if (body.amount_pence && body.amount_pence !== before.amount_pence) {
      throw new Problem('IDEMPOTENCY_KEY_REUSED', {
        message: `amount_pence: this attempt was for ${before.amount_pence} pence; send a new refund_attempt_id for another refund.`,
      });
    }
    return before;
  }
  const { pence, of_named, reversed, count, window_days } = await reservedFor(tx, payment.store_id, payment.id, target.id);
  const at = now();
  const amountPence = decideRefund(
    {
      ...payment,
      paidAt: payment.paid_at ? new Date(payment.paid_at) : null,
      reservedPence: pence,
      refunds: count,
      windowDays: window_days,
      legRemainingPence: target === payment ? undefined : target.total_pence - of_named,
    },
    body.amount_pence,
    at,
  );
  if (reversed > 0 && amountPence > reversed) {
    throw new Problem('REFUND_AMOUNT_EXCEEDS_REMAINING', {
      message: `amount_pence: an earlier refund of ${reversed} pence came back; refund at most that much first, then the rest.`,
    });
  }
  return await reserveRefund(tx, {
    id: newId(),
    payment,
    target,
    attempt,
    amountPence,
    reason: body.reason,
    byId: caller.id,
    byName: caller.name,
    // What an earlier refund took back from the store stays with the platform when that refund comes back.
    borneBy: reversed > 0 ? 'reversed' : 'store',
    at,
  });
}
