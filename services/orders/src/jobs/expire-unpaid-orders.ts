import type { Context } from '../context.ts';
import { isUnpaid } from '../rules/order-status.ts';
import { reserveAgain, voucherOf } from '../sagas/reserve-voucher.ts';
import { settlePayment } from '../sagas/settle-payment.ts';
import { findOverdueOrders } from '../tables/order-payments.ts';
import { findOrder, type OrderRow } from '../tables/orders.ts';
import { endUnpaidOrder } from '../transactions/end-unpaid-order.ts';

/**
 * Ends the unpaid orders whose time to pay is over. The intent is cancelled first; the holds are released only when it can no longer
 * succeed. An order whose intent has succeeded meanwhile is paid; one whose intent is processing is tried again at the next run.
 */
export async function expireUnpaidOrders(context: Context): Promise<void> {
  for (const { id, store_id } of await findOverdueOrders(context.database, context.now())) {
    try {
      const order = await findOrder(context.database, store_id, id);
      // It may have ended or been paid since the list was read.
      if (!order || !isUnpaid(order)) continue;
      const intent = order.payment_intent_id ? await context.payments.cancelIntent(order.payment_intent_id) : null;
      if (intent?.status === 'succeeded') await settlePayment(context, order, intent);
      else if (!intent || intent.status === 'canceled') await expire(context, order);
      else await keepVoucher(context, order);
    } catch (error) {
      context.log.warn({ err: error, order_id: id }, 'an unpaid order could not be ended yet');
    }
  }
}

const expire = ({ database }: Context, { id: orderId, store_id: storeId }: OrderRow) =>
  database.transaction((tx) =>
    endUnpaidOrder(tx, { storeId, orderId, as: 'expired', title: 'The order expired because it was not paid in time' }),
  );

/** While a bank processes the payment, the voucher's reservation is extended: it would lapse before the order does. */
async function keepVoucher(context: Context, order: OrderRow): Promise<void> {
  const voucher = voucherOf(order);
  if (voucher) await reserveAgain(voucher, context);
}
