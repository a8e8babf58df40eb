import { publish, type Transaction } from '@corner/chassis';
import { orderCancelled, orderExpired } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../rules/order-event.ts';
import { isUnpaid } from '../rules/order-status.ts';
import { releaseHolds } from '../tables/holds.ts';
import { appendLog } from '../tables/log.ts';
import { familyIds, lockFamily } from '../tables/order-family.ts';
import { writeUnpaidEnd } from '../tables/order-payments.ts';

export interface UnpaidEnd {
  readonly storeId: string;
  readonly orderId: string;
  readonly as: 'expired' | 'cancelled';
  /** Title of the log entry. */
  readonly title: string;
  /** Name of the person who ended it; null or absent when the service did. */
  readonly actor?: string | null;
  readonly reason?: string | null;
}

/**
 * Ends an order that was never paid, with its legs, and releases what they hold. An order that is no longer unpaid stays as it is. The
 * caller has made sure that its payment intent can no longer succeed. Publishes order.expired or order.cancelled.
 */
export async function endUnpaidOrder(tx: Transaction, { storeId, orderId, as, title, actor, reason }: UnpaidEnd): Promise<void> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || !isUnpaid(family.main)) return;
  const { main } = family;
  const orderIds = familyIds(family);
  await writeUnpaidEnd(tx, orderIds, as);
  await releaseHolds(tx, { storeId, orderIds, kinds: ['slot', 'stock', 'promo'] });
  await appendLog(tx, { storeId, orderId: main.id, kind: as, title, detail: reason ?? null, actor: actor ?? null });
  await publish(tx, as === 'expired' ? orderExpired : orderCancelled, {
    ...nextVersionOf(main),
    data: { ...orderFields(main), voucher_id: main.voucher_id, was_paid: false, reason: reason ?? null },
  });
}
