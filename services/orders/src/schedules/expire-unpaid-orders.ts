import { tell } from '@corner/chassis';
import { orderExpired } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { settlePayment } from '../sagas/settle-payment.ts';
import { releaseStock } from '../tables/holds.ts';
import { appendLog } from '../tables/log.ts';
import { lockOrder, OrderRow, orderColumns } from '../tables/orders.ts';

/**
 * Lets unpaid orders lapse. The intent is cancelled first: only when it can no longer succeed are the holds given back. One that
 * has succeeded meanwhile is paid; one that is processing is waited for.
 */
export async function expireUnpaidOrders(context: Context): Promise<void> {
  const due = await context.database.any(sql.prepared('orders-due-to-expire', OrderRow)`
    select ${orderColumns} from orders o
    where o.payment_status in ('pending_payment', 'payment_failed') and o.pay_until < ${context.now().toISOString()}
    order by o.pay_until limit 50`);
  for (const order of due) {
    try {
      const intent = order.payment_intent_id ? await context.payments.cancelIntent(order.payment_intent_id) : null;
      if (intent?.status === 'succeeded') await settlePayment(context, order, intent);
      else if (!intent || intent.status === 'canceled') await expire(context, order);
    } catch (error) {
      context.log.warn({ err: error, order_id: order.id }, 'an unpaid order could not be ended yet');
    }
  }
}

async function expire({ database, now }: Context, { id, store_id }: OrderRow): Promise<void> {
  await database.transaction(async (tx) => {
    const order = await lockOrder(tx, store_id, id);
    if (!order || (order.payment_status !== 'pending_payment' && order.payment_status !== 'payment_failed')) return;
    await tx.query(sql.prepared('expire-order', z.object({}))`
      update orders set payment_status = 'expired', version = version + 1 where id = ${id}`);
    await releaseStock(tx, store_id, id);
    await appendLog(tx, {
      storeId: store_id,
      orderId: id,
      at: now(),
      kind: 'expired',
      title: 'The order lapsed because it was not paid in time',
    });
    await tell(tx, orderExpired, {
      aggregateId: id,
      sequence: order.version + 1,
      storeId: store_id,
      customerId: order.customer_id,
      data: {
        order_id: id,
        order_number: order.order_number,
        store_id,
        customer_id: order.customer_id,
        voucher_id: order.voucher_id,
        was_paid: false,
        reason: null,
      },
    });
  });
}
