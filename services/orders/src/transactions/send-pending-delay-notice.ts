import { publish, type Transaction } from '@corner/chassis';
import { orderRunningLate } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../rules/order-event.ts';
import { takePendingNotice } from '../tables/delay-notices.ts';
import { lockFamily } from '../tables/order-family.ts';

export interface PendingNotice {
  readonly storeId: string;
  readonly orderId: string;
  /** The customer must have been notified last before this instant. */
  readonly notifiedBefore: Date;
}

/** Publishes the pending delay notice of an order, with the newest expected time. For an order that has ended it is dropped. */
export async function sendPendingDelayNotice(tx: Transaction, { storeId, orderId, notifiedBefore }: PendingNotice): Promise<void> {
  const order = (await lockFamily(tx, storeId, orderId))?.named;
  const notice = await takePendingNotice(tx, orderId, notifiedBefore);
  if (!order || !notice || !order.revised_ready_at) return;
  if (order.business_status !== 'placed' && order.business_status !== 'ready') return;
  await publish(tx, orderRunningLate, {
    ...nextVersionOf(order),
    data: { ...orderFields(order), new_eta: order.revised_ready_at, note: notice.note },
  });
}
