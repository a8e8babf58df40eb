import type { Operation, Queries } from '@corner/chassis';
import { type orders, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { cancelsPayment } from '../rules/order-status.ts';
import { cancelUnpaidOrder } from '../sagas/cancel-unpaid-order.ts';
import { findOrder, type OrderRow } from '../tables/orders.ts';
import { findRefundable } from '../tables/refunds.ts';
import { setBusinessStatus as setStatus } from '../transactions/set-business-status.ts';

/**
 * Sets the business status of an order. The same status again changes nothing. Cancelling a paid order releases holds and moves no
 * money. An unpaid order is cancelled together with its payment intent; a payment that succeeds meanwhile is refunded.
 */
export const setBusinessStatus: Operation<typeof orders.setBusinessStatus, Context> = async ({ caller, params, body }, context) => {
  const { database } = context;
  const found = await findOrder(database, body.store_id, params.orderId);
  if (!found) throw new Problem('ORDER_NOT_FOUND');
  const by = { actor: caller.name, note: body.note ?? null };
  const cancelled =
    body.status === 'cancelled' && cancelsPayment(found, context.now()) ? await cancelUnpaidOrder(context, found, by) : null;
  const order =
    cancelled ??
    (await database.transaction((tx) =>
      setStatus(tx, {
        ...by,
        storeId: body.store_id,
        orderId: params.orderId,
        to: body.status,
        manages: ['owner', 'manager'].includes(caller.stores.get(body.store_id) ?? ''),
      }),
    ));
  return {
    order: {
      id: order.id,
      store_id: order.store_id,
      status: order.business_status,
      order_type: order.order_type,
      fulfilled_at: order.fulfilled_at,
      cancelled_at: order.cancelled_at,
      refundable_pence: order.business_status === 'cancelled' ? await readRefundable(database, order) : null,
    },
  };
};

/** Reads what is left to refund of a cancelled order or leg, in pence; 0 when it was not paid. */
async function readRefundable(queries: Queries, order: OrderRow): Promise<number> {
  if (order.payment_status !== 'paid') return 0;
  const [left] = await findRefundable(queries, order.parent_order_id ?? order.id, [order.id]);
  return Math.max(0, left?.pence ?? 0);
}
