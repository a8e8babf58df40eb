import { publish, type Transaction } from '@corner/chassis';
import { orderCancelled, orderExpired } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { releaseHolds } from './holds.ts';
import { appendLog } from './log.ts';
import { lockFamily, namesOf, nextOf } from './orders.ts';

export interface UnpaidEnd {
  readonly as: 'expired' | 'cancelled';
  readonly at: Date;
  /** The sentence in the log. */
  readonly title: string;
  /** Who ended it and why, when somebody did. */
  readonly actor?: string | null;
  readonly reason?: string | null;
}

/** Ends an order that was never paid, with its legs, and gives back what they held, once. Its intent can no longer succeed: the caller has seen to it. */
export async function endUnpaid(tx: Transaction, storeId: string, orderId: string, { as, at, title, ...by }: UnpaidEnd): Promise<void> {
  const family = await lockFamily(tx, storeId, orderId);
  if (!family || (family.main.payment_status !== 'pending_payment' && family.main.payment_status !== 'payment_failed')) return;
  const { main, legs } = family;
  const ids = [main.id, ...legs.map(({ id }) => id)];
  await tx.query(sql.prepared('end-unpaid', z.object({}))`
    update orders
    set payment_status = ${as}, version = version + 1, business_status = ${as === 'cancelled' ? 'cancelled' : null},
        cancelled_at = ${as === 'cancelled' ? at.toISOString() : null}
    where id = any(${sql.array(ids, 'uuid')})`);
  await releaseHolds(tx, storeId, ids, ['slot', 'stock', 'promo']);
  await appendLog(tx, { storeId, orderId: main.id, at, kind: as, title, detail: by.reason ?? null, actor: by.actor ?? null });
  await publish(tx, as === 'expired' ? orderExpired : orderCancelled, {
    ...nextOf(main),
    data: { ...namesOf(main), voucher_id: main.voucher_id, was_paid: false, reason: by.reason ?? null },
  });
}
