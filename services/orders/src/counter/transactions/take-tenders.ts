import type { Database, Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { isUnpaid } from '../../order/rules/status.ts';
import { isInCash, type RequestedTender, type TakenTenders, tenderRef, tendersFor } from '../../order/rules/tenders.ts';
import { findTenderEntries, lockOpenDrawer } from '../../order/tables/ledger.ts';
import { acceptPayment, findPayableOrder, repeatAfterRace } from '../../payment/index.ts';

export interface TendersToTake extends Omit<TakenTenders, 'tenders'> {
  /** False for a partner, whose money is not in the store's drawer. */
  readonly byStaff: boolean;
  readonly storeId: string;
  readonly orderId: string;
  readonly tenders: readonly RequestedTender[];
}

/**
 * Pays an open sale. The same attempt again changes nothing. Throws ORDER_NOT_FOUND, also for a part of an order, ORDER_ALREADY_PAID,
 * ORDER_TERMINAL, TENDERS_NOT_APPLICABLE for a phone's order, and TENDERS_MISMATCH. Of two concurrent attempts one pays, and the other
 * reads the changed order again.
 */
export const takeTenders = (database: Database, wanted: TendersToTake): Promise<void> =>
  repeatAfterRace(() => database.transaction((tx) => takeOnce(tx, wanted)));

async function takeOnce(tx: Transaction, { storeId, orderId, tenders, attempt, by, byStaff }: TendersToTake): Promise<void> {
  const order = await findPayableOrder(tx, { storeId, orderId });
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  if (order.channel === 'phone') throw new Problem('TENDERS_NOT_APPLICABLE');
  if (order.payment_status === 'paid') {
    const taken = await findTenderEntries(tx, orderId);
    if (taken.some(({ provider_ref }) => provider_ref === tenderRef(attempt, 0))) return;
    throw new Problem('ORDER_ALREADY_PAID');
  }
  if (!isUnpaid(order)) throw new Problem('ORDER_TERMINAL', { message: 'The sale has ended: it was cancelled, or not paid in time.' });
  const parts = tendersFor(order.total_pence, order.currency, tenders);
  const drawerId = byStaff && isInCash(parts) ? await lockOpenDrawer(tx, storeId) : null;
  const taken = { tenders: parts, attempt, by, drawerId };
  const charge = { storeId, orderId, intentId: attempt, amountPence: order.total_pence, eventIds: [] };
  await acceptPayment(tx, order, { ...charge, taken }, tx.now);
}
