import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { reserveAgain } from '../sagas/reserve-voucher.ts';
import { settlePayment } from '../sagas/settle-payment.ts';
import { endUnpaid } from '../tables/end-unpaid.ts';
import { findOrder, type OrderRow } from '../tables/orders.ts';

const Due = z.object({ id: z.string(), store_id: z.string() });

/**
 * Lets unpaid orders lapse. The intent is cancelled first: only when it can no longer succeed are the holds given back. One that
 * has succeeded meanwhile is paid; one that is processing is waited for.
 */
export async function expireUnpaidOrders(context: Context): Promise<void> {
  // All that are due, and only who they are: any number may wait for a bank, and must not keep those behind them waiting too.
  const due = await context.database.any(sql.prepared('orders-due-to-expire', Due)`
    select o.id, o.store_id from orders o
    where o.payment_status in ('pending_payment', 'payment_failed') and o.pay_until < ${context.now().toISOString()}
    order by o.pay_until`);
  for (const { id, store_id } of due) {
    try {
      const order = await findOrder(context.database, store_id, id);
      if (!order || !isUnpaid(order)) continue;
      const intent = order.payment_intent_id ? await context.payments.cancelIntent(order.payment_intent_id) : null;
      if (intent?.status === 'succeeded') await settlePayment(context, order, intent);
      else if (!intent || intent.status === 'canceled') await expire(context, order);
      else if (order.voucher_id) await keepVoucher(context, order, order.voucher_id);
    } catch (error) {
      context.log.warn({ err: error, order_id: id }, 'an unpaid order could not be ended yet');
    }
  }
}

/** What waits for a bank keeps its voucher as it keeps its places: the reservation would lapse first. */
const keepVoucher = (context: Context, { id, store_id, customer_id }: OrderRow, voucherId: string) =>
  reserveAgain({ orderId: id, voucherId, customerId: customer_id, storeId: store_id }, context);

/** Somebody else may have ended it, or had it paid, since it was found due. */
const isUnpaid = ({ payment_status }: OrderRow) => payment_status === 'pending_payment' || payment_status === 'payment_failed';

const expire = ({ database, now }: Context, { id, store_id }: OrderRow) =>
  database.transaction((tx) =>
    endUnpaid(tx, store_id, id, { as: 'expired', at: now(), title: 'The order lapsed because it was not paid in time' }),
  );
