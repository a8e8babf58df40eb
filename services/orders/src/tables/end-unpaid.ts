import { type Transaction, tell } from '@corner/chassis';
import { orderCancelled, orderExpired } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { releaseStock } from './holds.ts';
import { appendLog } from './log.ts';
import { lockOrder } from './orders.ts';

export interface UnpaidEnd {
  readonly as: 'expired' | 'cancelled';
  readonly at: Date;
  /** The sentence in the log. */
  readonly title: string;
}

/** Ends an order that was never paid and gives back what it held, once. Its intent can no longer succeed: the caller has seen to it. */
export async function endUnpaid(tx: Transaction, storeId: string, orderId: string, { as, at, title }: UnpaidEnd): Promise<void> {
  const order = await lockOrder(tx, storeId, orderId);
  if (!order || (order.payment_status !== 'pending_payment' && order.payment_status !== 'payment_failed')) return;
  await tx.query(sql.prepared('end-unpaid', z.object({}))`
    update orders set payment_status = ${as}, version = version + 1 where id = ${orderId}`);
  await releaseStock(tx, storeId, orderId);
  await appendLog(tx, { storeId, orderId, at, kind: as, title });
  const { order_number, customer_id, voucher_id } = order;
  await tell(tx, as === 'expired' ? orderExpired : orderCancelled, {
    aggregateId: orderId,
    sequence: order.version + 1,
    storeId,
    customerId: customer_id,
    data: { order_id: orderId, order_number, store_id: storeId, customer_id, voucher_id, was_paid: false, reason: null },
  });
}
