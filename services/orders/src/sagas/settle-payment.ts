import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Intent } from '../adapters/provider-shapes.ts';
import type { Context } from '../context.ts';
import { markPaid } from '../tables/mark-paid.ts';
import { findOrder, type OrderRow } from '../tables/orders.ts';
import { refundAtProvider } from './refund-at-provider.ts';
import { releaseFor, reserveAgain } from './reserve-voucher.ts';

/** What an intent must be to be this order's. */
export function mismatchOf(order: OrderRow, intent: Intent): string | null {
  if (intent.orderId !== order.id) return 'it belongs to another order';
  if (order.payment_intent_id && intent.id !== order.payment_intent_id) return 'the order has another payment';
  if (intent.amountPence !== order.total_pence) return 'the amount differs';
  if (intent.currency !== order.currency) return 'the currency differs';
  if (intent.destination !== order.connected_account_id) return 'the destination differs';
  return null;
}

/** Brings an order to what its intent says, as it is now: paid, declined, or left as it is. Throws PAYMENT_MISMATCH. */
export async function settlePayment(context: Context, order: OrderRow, intent: Intent): Promise<OrderRow> {
  const mismatch = mismatchOf(order, intent);
  if (mismatch) {
    context.log.error({ order_id: order.id, mismatch }, 'a payment does not match its order');
    throw new Problem('PAYMENT_MISMATCH', { message: `The payment does not match the order: ${mismatch}.` });
  }
  if (intent.status === 'succeeded') return await settleSuccess(context, order, intent);
  if (intent.status === 'requires_payment_method' && order.payment_status === 'pending_payment' && intent.chargeId) {
    await context.database.query(sql.prepared('mark-declined', z.object({}))`
      update orders set payment_status = 'payment_failed' where id = ${order.id} and payment_status = 'pending_payment'`);
  }
  return order;
}

/** An order that had ended has its voucher reserved again first: loyalty is not asked while the order is locked. */
async function settleSuccess(context: Context, order: OrderRow, intent: Intent): Promise<OrderRow> {
  const { database, now, newId, log } = context;
  const ended = order.payment_status === 'expired' || order.payment_status === 'cancelled';
  const voucher =
    ended && order.voucher_id
      ? { orderId: order.id, voucherId: order.voucher_id, customerId: order.customer_id, storeId: order.store_id }
      : null;
  const voucherIsGone = voucher !== null && !(await reserveAgain(voucher, context));
  const payment = { at: now(), intentId: intent.id, chargePence: intent.amountPence, voucherIsGone, newId };
  const paid = await database.transaction((tx) => markPaid(tx, order.store_id, order.id, payment));
  if (!paid?.refund) return paid?.order ?? order;
  log.warn({ order_id: order.id }, 'a payment came after its order had ended: it is refunded');
  if (voucher && !voucherIsGone) await releaseFor(voucher, context);
  await refundAtProvider(context, paid.refund);
  return (await findOrder(database, order.store_id, order.id)) ?? paid.order;
}
