import type { Transaction } from '@corner/chassis';
import { rulesOfCurrency } from '@corner/contracts';
import { storeShare } from '../rules/disputes.ts';
import { type DisputeRow, decideShare, findDisputes, lockDispute, scheduleShare, sumBorneByStore } from '../tables/disputes.ts';
import type { OrderRow } from '../tables/orders.ts';

/**
 * Decides once, under the dispute's lock, what is taken back of the store's transfer. Null for `leftOfTransferPence` means that there is
 * no transfer. Returns the updated dispute.
 */
export async function planShare(
  tx: Transaction,
  order: OrderRow,
  { id }: DisputeRow,
  leftOfTransferPence: number | null,
): Promise<DisputeRow | null> {
  const dispute = await lockDispute(tx, id);
  if (!dispute || dispute.share_pence !== null) return dispute;
  const others = (await findDisputes(tx, order.id)).filter(
    (other) => other.id !== id && other.borne_by === 'store' && other.state !== 'won',
  );
  const share = storeShare({
    disputedPence: dispute.amount_pence,
    paidPence: order.total_pence,
    feePence: order.application_fee_pence,
    coveredPence: (await sumBorneByStore(tx, order.id)) + others.reduce((sum, { amount_pence }) => sum + amount_pence, 0),
    leftOfTransferPence: leftOfTransferPence ?? 0,
    step: rulesOfCurrency(order.currency).step,
  });
  await decideShare(tx, id, share);
  if (share === 0) await scheduleShare(tx, id, null, 0);
  return { ...dispute, share_pence: share };
}
