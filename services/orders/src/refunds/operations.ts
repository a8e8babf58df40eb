import { createHash } from 'node:crypto';
import { crashPoint, type Operation } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { refundAtProvider } from './sagas.ts';
import { reserveRefund } from './transactions/reserve-refund.ts';

/**
 * Refunds an order in full or in part: reserves the amount under the order's lock, asks the provider, then settles. A repeated attempt
 * is one refund; without an attempt id, a request after a refund that moved no money in the end is a new attempt. When the provider does
 * not respond, the refund stays pending.
 */
export const refundOrder: Operation<typeof orders.refundOrder, Context> = async ({ caller, params, body, idempotencyKey }, context) => {
  const request = {
    storeId: body.store_id,
    orderId: params.orderId,
    attempt: { name: body.refund_attempt_id ?? shortened(idempotencyKey ?? 'default'), isOwnId: Boolean(body.refund_attempt_id) },
    amountPence: body.amount_pence ?? null,
    reason: body.reason,
    by: { id: caller.id, name: caller.name },
  };
  const { order, refund: reserved } = await context.database.transaction((tx) => reserveRefund(tx, request));
  crashPoint('orders.refund.after-reserve');
  const isUnsent = reserved.status === 'pending' && reserved.provider_refund_id === null;
  const refund = isUnsent ? await refundAtProvider(context, reserved, order) : reserved;
  if (refund.status === 'rejected') throw new Problem('REFUND_REJECTED');
  crashPoint('orders.refund.before-response');
  return { refund: { id: refund.provider_refund_id ?? `rf_${refund.id}`, status: refund.status, amount: refund.amount_pence } };
};

/** The provider's key contains the name of the attempt, and cannot be longer than 255 characters. A long name is hashed. */
const shortened = (name: string): string => (name.length <= 64 ? name : createHash('sha256').update(name).digest('hex'));
