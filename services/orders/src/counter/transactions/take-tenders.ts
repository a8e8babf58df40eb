import type { Database, Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { isUnpaid } from '../../order/rules/status.ts';
import {
  isInCash,
  type RequestedTender,
  sumOf,
  type TakenTenders,
  tenderRef,
  tendersFor,
  tendersInWords,
} from '../../order/rules/tenders.ts';
import { findParts, findTenderEntries, insertParts, lockOpenDrawer, type Part, removeParts } from '../../order/tables/ledger.ts';
import { lockFamily } from '../../order/tables/orders.ts';
import { acceptPayment, chargesOf, findPayableOrder, type PayableOrder, repeatAfterRace } from '../../payment/index.ts';

export interface TendersToTake extends Omit<TakenTenders, 'tenders'> {
  /** False for a partner, whose money is not in the store's drawer. */
  readonly byStaff: boolean;
  readonly storeId: string;
  readonly orderId: string;
  readonly tenders: readonly RequestedTender[];
  /** They may pay a part of what is left; the sale stays open for the rest. */
  readonly isPart: boolean;
}

/**
 * Pays the rest of an open sale, or a part of it. The same attempt again changes nothing. Throws ORDER_NOT_FOUND, also for a leg,
 * ORDER_ALREADY_PAID, ORDER_TERMINAL, TENDERS_MISMATCH, and TENDERS_NOT_APPLICABLE for a phone's order and for a part of a sale with a
 * voucher. Of two concurrent attempts one pays, and the other
 * reads the changed order again.
 */
export const takeTenders = (database: Database, wanted: TendersToTake): Promise<void> =>
  repeatAfterRace(() => database.transaction((tx) => takeOnce(tx, wanted)));

async function takeOnce(tx: Transaction, wanted: TendersToTake): Promise<void> {
  const { storeId, orderId, attempt } = wanted;
  // Of payments that come at once, each finds what the one before has left.
  await lockFamily(tx, storeId, orderId);
  const order = await findPayableOrder(tx, { storeId, orderId });
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  if (order.channel === 'phone') throw new Problem('TENDERS_NOT_APPLICABLE');
  const before = await findParts(tx, orderId);
  const isPaid = order.payment_status === 'paid';
  const taken = isPaid ? await findTenderEntries(tx, orderId) : before;
  if (taken.some(({ provider_ref }) => provider_ref === tenderRef(attempt, 0))) return;
  if (isPaid) throw new Problem('ORDER_ALREADY_PAID');
  if (!isUnpaid(order)) throw new Problem('ORDER_TERMINAL', { message: 'The sale has ended: it was cancelled, or not paid in time.' });
  await takeOf(tx, order, before, wanted);
}

async function takeOf(tx: Transaction, order: PayableOrder, before: readonly Part[], wanted: TendersToTake): Promise<void> {
  const { storeId, orderId, attempt, by, byStaff, isPart } = wanted;
  const leftPence = order.total_pence - sumOf(before);
  const tenders = tendersFor(leftPence, order.currency, wanted.tenders, isPart);
  const drawerId = byStaff && isInCash(tenders) ? await lockOpenDrawer(tx, storeId) : null;
  const taken = { tenders, attempt, by, drawerId };
  const amountPence = sumOf(tenders);
  if (amountPence < leftPence) {
    // The reservation of a voucher lapses before a sale that no longer expires.
    if (order.voucher_id)
      throw new Problem('TENDERS_NOT_APPLICABLE', { message: 'A sale with a voucher is paid whole: tender all that is left.' });
    const entry = { kind: 'part_paid', title: 'A part was paid at the counter', actor: by.name, actorId: by.id, amountPence };
    const detail = tendersInWords(tenders, order.currency);
    await insertParts(tx, wanted, chargesOf(taken), { storeId, orderId, detail, ...entry });
    return;
  }
  const charge = { storeId, orderId, intentId: attempt, amountPence: order.total_pence, eventIds: [] };
  await acceptPayment(tx, order, { ...charge, taken: { ...taken, before: before.map(({ is_returned: _, ...part }) => part) } }, tx.now);
  await removeParts(tx, orderId);
}
