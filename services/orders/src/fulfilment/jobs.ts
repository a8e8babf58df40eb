import type { ConfirmationContext } from '../confirmation/index.ts';
import type { Context } from '../context.ts';
import { refundAtProvider } from '../refunds/index.ts';
import { noticeWindowSeconds } from './rules.ts';
import { findOrdersToLookAt, findPendingNotices, writeLookAt } from './tables.ts';
import { sendPendingDelayNotice } from './transactions/change-time.ts';
import { endIfOverdue } from './transactions/end-overdue.ts';

/** Sends delay notices that were deferred because the customer had just been notified: one notice with the newest time. */
export async function sendPendingDelayNotices({ database, now, log }: Context): Promise<void> {
  const notifiedBefore = new Date(now().getTime() - noticeWindowSeconds * 1000);
  for (const { order_id: orderId, store_id: storeId } of await findPendingNotices(database, notifiedBefore)) {
    try {
      await database.transaction((tx) => sendPendingDelayNotice(tx, { storeId, orderId, notifiedBefore }));
    } catch (error) {
      log.warn({ err: error, order_id: orderId }, 'a pending delay notice could not be sent yet');
    }
  }
}

/** Batches of one run; the next run continues. */
const mostBatches = 10;

/** Minutes after which an order that could not be looked at is tried again. */
const retryMinutes = 10;

/**
 * Ends orders that their store did not accept in time, with a refund, and ready orders that stayed uncollected for some hours after
 * closing. Several processes may run it at once.
 */
export async function endOverdueOrders(context: ConfirmationContext): Promise<void> {
  const { database, now, log } = context;
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const orders = await findOrdersToLookAt(database, now());
    if (orders.length === 0) return;
    for (const order of orders) {
      try {
        const refund = await database.transaction((tx) => endIfOverdue(tx, order.store_id, order.id));
        if (refund) await refundAtProvider(context, refund);
      } catch (error) {
        log.warn({ err: error, order_id: order.id }, 'an order could not be looked at yet');
        await writeLookAt(database, order, new Date(now().getTime() + retryMinutes * 60_000));
      }
    }
  }
}
