import type { Context } from '../context.ts';
import type { OrderRow } from '../tables/orders.ts';
import { noteDispute } from '../transactions/note-dispute.ts';
import { moveStoreShare } from './move-store-share.ts';

/** Notes all disputes of a paid order as the provider reports them now, and moves the store's share of each where that is due. */
export async function settleDisputes(context: Context, order: OrderRow, intentId: string): Promise<void> {
  const askedAt = context.now();
  for (const dispute of await context.disputes.disputesOf(intentId)) {
    const ids = { storeId: order.store_id, orderId: order.id };
    const noted = await context.database.transaction((tx) => noteDispute(tx, ids, dispute, askedAt));
    if (noted?.share_due_at && Date.parse(noted.share_due_at) <= context.now().getTime()) await moveStoreShare(context, noted);
  }
}
