import { publish } from '@corner/chassis';
import { orderRunningLate } from '@corner/contracts';
import type { Context } from '../context.ts';
import { noticeWindowSeconds } from '../rules/eta.ts';
import { owedNotices, takeOwed } from '../tables/delay-notices.ts';
import { lockFamily, namesOf, nextOf } from '../tables/orders.ts';

/** Tells customers of delays that were noted while they had just been told of one: the newest time, once. An order that has ended is late for nobody. */
export async function tellOwedDelays({ database, now, log }: Context): Promise<void> {
  const at = now();
  const before = new Date(at.getTime() - noticeWindowSeconds * 1000);
  for (const { order_id, store_id } of await owedNotices(database, before)) {
    try {
      await database.transaction(async (tx) => {
        const order = (await lockFamily(tx, store_id, order_id))?.named;
        const notice = await takeOwed(tx, order_id, before, at);
        if (!order || !notice || !order.revised_ready_at) return;
        if (order.business_status !== 'placed' && order.business_status !== 'ready') return;
        await publish(tx, orderRunningLate, {
          ...nextOf(order),
          data: { ...namesOf(order), new_eta: order.revised_ready_at, note: notice.note },
        });
      });
    } catch (error) {
      log.warn({ err: error, order_id }, 'a delay could not be told yet');
    }
  }
}
