import type { Transaction } from '@corner/chassis';
import type { DataOf, paymentDisputed } from '@corner/contracts';
import { enterDispute } from '../tables/disputes.ts';
import { changeCard } from './change-card.ts';
import { takeBackOrder } from './take-back-order.ts';

/**
 * Applies a dispute over an order's payment to its card. While it is open, the vouchers made from the order's stamps cannot be used. A
 * lost one does what a full refund does, unless that was done already; one that is won leaves, or makes, everything as it was. A dispute
 * that arrives before the award is recorded for it.
 */
export async function applyDispute(tx: Transaction, dispute: DataOf<typeof paymentDisputed>, sequence: number): Promise<void> {
  await changeCard(tx, { storeId: dispute.store_id, customerId: dispute.customer_id }, async (card) => {
    const entered = await enterDispute(tx, dispute, sequence);
    if (card) await takeBackOrder(tx, card, dispute.order_id, entered);
  });
}
