import type { Transaction } from '@corner/chassis';
import { sql } from 'slonik';
import { z } from 'zod';

/** Gives back the stock an order has taken, once: a hold that was released stays so. */
export async function releaseStock(tx: Transaction, storeId: string, orderId: string): Promise<void> {
  await tx.query(sql.prepared('release-stock', z.object({}))`
    with released as (
      update hold set state = 'released' where order_id = ${orderId} and kind = 'stock' and state <> 'released' returning ref, quantity
    ), locked as (
      select m.id from menu_item m join released r on r.ref = m.id where m.store_id = ${storeId} order by m.id for update of m
    )
    update menu_item m set taken = m.taken - r.quantity
    from released r join locked k on k.id = r.ref
    where m.store_id = ${storeId} and m.id = r.ref`);
}
