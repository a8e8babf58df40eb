import type { Transaction } from '@corner/chassis';
import { enterRefunds, type Refunds } from '../tables/order-ledger.ts';
import { changeCard } from './change-card.ts';
import { takeBackOrder } from './take-back-order.ts';

/**
 * Applies an order's refunds to its card. The event with the highest sequence wins, whatever the order of arrival. A full refund takes
 * the order's stamps back; a full refund that failed reinstates them. Refunds that arrive before the award are recorded for it.
 */
export async function applyRefunds(tx: Transaction, refunds: Refunds, sequence: number): Promise<void> {
  await changeCard(tx, { storeId: refunds.store_id, customerId: refunds.customer_id }, async (card) => {
    const entered = await enterRefunds(tx, refunds, sequence);
    if (card) await takeBackOrder(tx, card, refunds.order_id, entered);
  });
}
