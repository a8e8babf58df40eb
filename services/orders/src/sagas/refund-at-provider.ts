import { crashPoint } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { Declined } from '../adapters/payments.ts';
import type { Context } from '../context.ts';
import { findOrder } from '../tables/orders.ts';
import { coverRefund, findRefund, type RefundRow, rejectRefund } from '../tables/refunds.ts';
import { settleRefund } from '../tables/settle-refund.ts';

/**
 * Asks the provider for a reserved refund, always under the same key, and writes the answer down. Answers the refund as it is
 * then: still pending when no answer came. An order that cost nothing is refunded without the provider. Where the platform covers
 * refunds, it bears the one whose share the store's account cannot give back.
 */
export async function refundAtProvider(context: Context, refund: RefundRow): Promise<RefundRow> {
  const { database, payments, now } = context;
  const order = await findOrder(database, refund.store_id, refund.payment_order_id);
  if (!order) throw new Error(`refund ${refund.id} is of no order`);
  try {
    const settled = order.payment_intent_id
      ? await payments.refund({
          refundId: refund.id,
          orderId: order.id,
          attempt: refund.attempt,
          intentId: order.payment_intent_id,
          amountPence: refund.amount_pence,
          withFee: order.application_fee_pence > 0 && refund.borne_by === 'store',
          borneBy: refund.borne_by,
        })
      : { id: `rf_${refund.id}`, status: 'succeeded' as const };
    crashPoint('orders.refund.after-provider');
    return (await database.transaction((tx) => settleRefund(tx, refund.store_id, refund.id, settled, now()))) ?? refund;
  } catch (error) {
    if (error instanceof Declined) {
      // It may be that only the store cannot give its share back. Asked again without that it is another request, under another key.
      if (await coverRefund(database, refund)) return await refundAtProvider(context, { ...refund, borne_by: 'platform' });
      if (await database.transaction((tx) => rejectRefund(tx, refund, error.message, now()))) return { ...refund, status: 'rejected' };
      return (await findRefund(database, refund.id)) ?? refund;
    }
    if (error instanceof Problem && error.code === 'PAYMENT_PROVIDER_ERROR') {
      context.log.warn({ err: error, refund_id: refund.id }, 'the refund waits: the provider did not answer');
      return refund;
    }
    throw error;
  }
}
