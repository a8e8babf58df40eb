import { Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Intent } from '../outside/payments.ts';
import { markPaid } from '../tables/mark-paid.ts';
import type { OrderRow } from '../tables/orders.ts';
import { refundAtProvider } from './refund-at-provider.ts';

/** What an intent must be to be this order's. */
export function mismatchOf(order: OrderRow, intent: Intent): string | null {
  if (intent.orderId !== order.id) return 'it belongs to another order';
  if (intent.amountPence !== order.total_pence) return 'the amount differs';
  if (intent.currency !== order.currency) return 'the currency differs';
  if (intent.destination !== order.connected_account_id) return 'the destination differs';
  return null;
}

/** Brings an order to what its intent says, as it is now: paid, declined, or left as it is. Throws PAYMENT_MISMATCH. */
export async function settlePayment(context: Context, order: OrderRow, intent: Intent): Promise<OrderRow> {
  const { database, now, newId, log } = context;
  const mismatch = mismatchOf(order, intent);
  if (mismatch) {
    log.error({ order_id: order.id, mismatch }, 'a payment does not match its order');
    throw new Problem('PAYMENT_MISMATCH', { message: `The payment does not match the order: ${mismatch}.` });
  }
  if (intent.status === 'succeeded') {
    const payment = { at: now(), intentId: intent.id, chargePence: intent.amountPence, newId };
    const paid = await database.transaction((tx) => markPaid(tx, order.store_id, order.id, payment));
    if (paid?.refund) {
      log.warn({ order_id: order.id }, 'a payment came after its order had ended: it is refunded');
      await refundAtProvider(context, paid.refund);
    }
    return paid?.order ?? order;
  }
  if (intent.status === 'requires_payment_method' && order.payment_status === 'pending_payment' && intent.chargeId) {
    await database.query(sql.prepared('mark-declined', z.object({}))`
      update orders set payment_status = 'payment_failed' where id = ${order.id} and payment_status = 'pending_payment'`);
  }
  return order;
}
