import { sql } from 'slonik';
import type { Context } from '../context.ts';
import { settlePayment } from '../sagas/settle-payment.ts';
import { endUnpaid } from '../tables/end-unpaid.ts';
import { OrderRow, orderColumns } from '../tables/orders.ts';

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

const expire = ({ database, now }: Context, { id, store_id }: OrderRow) =>
  database.transaction((tx) =>
    endUnpaid(tx, store_id, id, { as: 'expired', at: now(), title: 'The order lapsed because it was not paid in time' }),
  );
