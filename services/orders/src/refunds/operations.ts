import { createHash } from 'node:crypto';
import { crashPoint, hasRole, type Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { RefundsContext } from './context.ts';
import { isOwedName } from './rules/attempts.ts';
import { refundView } from './rules/outcomes.ts';
import { refundAtProvider } from './sagas.ts';
import { reserveRefund } from './transactions/reserve-refund.ts';

/**
 * Refunds an order in full, in part or by line: reserves the amount under the order's lock, has the provider make it, then records the
 * outcome. A repeated attempt is one refund. When the provider does not respond, the refund stays pending.
 */
export const refundOrder: Operation<typeof orders.refundOrder, RefundsContext> = async (
  { caller, params, body, idempotencyKey },
  context,
) => {
  const request = {
    storeId: body.store_id,
    orderId: params.orderId,
    attempt: {
      name: body.refund_attempt_id ?? (idempotencyKey === undefined ? 'default' : nameOfKey(idempotencyKey)),
      isOwnId: Boolean(body.refund_attempt_id),
    },
    amountPence: body.amount_pence ?? null,
    lines: body.lines ?? null,
    reason: body.reason,
    mode: context.mode,
    by: { id: caller.id, name: caller.name, isLimited: !hasRole(caller, body.store_id, 'manager') },
  };
  const { order, refund: reserved } = await context.database.transaction((tx) => reserveRefund(tx, request));
  crashPoint('orders.refund.after-reserve');
  const isUnsent = reserved.status === 'pending' && reserved.provider_refund_id === null;
  const refund = isUnsent ? await refundAtProvider(context, reserved, order) : reserved;
  if (refund.status === 'rejected') throw new Problem('REFUND_REJECTED');
  crashPoint('orders.refund.before-response');
  return { refund: refundView(refund) };
};

/**
 * The provider's key contains the name of the attempt, and has at most 255 characters. A long key is hashed, and so is one that could be
 * the name of another attempt: one that the service makes, or one of a leg.
 */
const nameOfKey = (key: string): string =>
  /^[\w.-]{1,64}$/.test(key) && !isOwedName(key) ? key : createHash('sha256').update(key).digest('hex');
