import { Problem } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { markDeclined } from '../../order/tables/order-payments.ts';
import { findOrder, type OrderRow } from '../../order/tables/orders.ts';
import type { Intent } from '../../provider/adapters.ts';
import { refundAtProvider } from '../../refunds/index.ts';
import { paymentMismatch } from '../rules.ts';
import { markPaid } from '../transactions.ts';
import { releaseForOrder, reserveAgain, voucherOf } from './reserve-voucher.ts';

/**
 * Brings an order to the state of its intent, and returns it: paid, declined, or as it was. A payment that came too late is refunded.
 * Throws PAYMENT_MISMATCH.
 */
export const settlePayment = async (context: Context, order: OrderRow, intent: Intent): Promise<OrderRow> =>
  (await settleReported(context, order, intent, null)).order;

/** An order after its payment was settled. */
export interface Settled {
  readonly order: OrderRow;
  /** Whether the event that reported the payment was processed with it. */
  readonly processed: boolean;
}

/**
 * As {@link settlePayment}, for a payment that an event of the provider reported: the statement that marks the order paid marks the event
 * processed.
 */
export async function settleReported(context: Context, order: OrderRow, intent: Intent, eventId: string | null): Promise<Settled> {
  checkPayment(context, order, intent);
  if (intent.status === 'succeeded') return await settleSuccess(context, order, intent, eventId);
  if (intent.status === 'requires_payment_method' && order.payment_status === 'pending_payment' && intent.chargeId) {
    await markDeclined(context.database, order.id);
  }
  return { order, processed: false };
}

/** Throws PAYMENT_MISMATCH when an intent is not the payment of an order, and logs that as an error. */
export function checkPayment({ log }: Context, order: OrderRow, intent: Intent): void {
  const mismatch = paymentMismatch(order, intent);
  if (!mismatch) return;
  log.error({ order_id: order.id, mismatch }, 'a payment does not match its order');
  throw new Problem('PAYMENT_MISMATCH', { message: `The payment does not match the order: ${mismatch}.` });
}

/** For an order that had expired the voucher is reserved again first, because loyalty must not be called under the order's lock. */
async function settleSuccess(context: Context, order: OrderRow, intent: Intent, eventId: string | null): Promise<Settled> {
  const { database, log } = context;
  const voucher = order.payment_status === 'expired' ? voucherOf(order) : null;
  const voucherIsGone = voucher !== null && !(await reserveAgain(voucher, context));
  const charge = { storeId: order.store_id, orderId: order.id, intentId: intent.id, amountPence: intent.amountPence, eventId };
  const paid = await markPaid(database, order, { ...charge, voucherIsGone }, context.now());
  if (!paid?.refund) return { order: paid?.order ?? order, processed: paid?.accepted ?? false };
  log.warn({ order_id: order.id }, 'a payment came after its order had ended: it is refunded');
  if (voucher && !voucherIsGone) await releaseForOrder(voucher, context);
  await refundAtProvider(context, paid.refund, paid.order);
  return { order: (await findOrder(database, order.store_id, order.id)) ?? paid.order, processed: false };
}
