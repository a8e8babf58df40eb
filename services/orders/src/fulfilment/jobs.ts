import type { Context } from '../context.ts';
import { noticeWindowSeconds } from './rules.ts';
import { findPendingNotices } from './tables.ts';
import { sendPendingDelayNotice } from './transactions/notify-delay.ts';

/** Sends the delay notices that were deferred because the customer had just been notified: one notice with the newest time. */
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
