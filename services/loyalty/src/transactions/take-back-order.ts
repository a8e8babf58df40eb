import type { Transaction } from '@corner/chassis';
import {
  type DataOf,
  type paymentDisputed,
  stampReversed,
  voucherExpired,
  voucherRedeemed,
  voucherRestored,
  voucherVoided,
} from '@corner/contracts';
import { decideReversal, reversalEffect } from '../rules/orders.ts';
import { readCardBalance } from '../tables/cards.ts';
import { forgiveDebt } from '../tables/debts.ts';
import { enterDispute } from '../tables/disputes.ts';
import { type Entered, enterRefunds, type Refunds } from '../tables/order-ledger.ts';
import { approvedStampsOfOrder, reinstateStamps, reverseStamps } from '../tables/order-stamps.ts';
import { redeemRestored, restoreVoucher } from '../tables/restored-vouchers.ts';
import { voidVouchers } from '../tables/vouchers.ts';
import { changeCard, type LockedCard } from './change-card.ts';
import { countStamps, settleCard } from './count-stamps.ts';

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

/**
 * Takes an order's stamps back and restores the voucher it had used, once, whether a full refund or a lost dispute came first. When
 * neither holds any longer, because the refund failed or the dispute was won after all, it undoes that. The card is locked.
 */
async function takeBackOrder(tx: Transaction, card: LockedCard, orderId: string, entered: Entered): Promise<void> {
  const effect = reversalEffect(entered);
  switch (effect) {
    case 'none':
      return;
    case 'reinstate':
      await redeemAgain(tx, card, orderId);
      return await reinstate(tx, card, orderId);
    case 'reverse':
      await reverse(tx, card, orderId);
      return await restore(tx, card, orderId);
    default:
      return effect satisfies never;
  }
}

/** Takes an order's stamps back. The other stamps of a voided voucher become unused: they pay debts and complete vouchers as any others. */
async function reverse(tx: Transaction, card: LockedCard, orderId: string): Promise<void> {
  const rows = await approvedStampsOfOrder(tx, card, orderId);
  if (rows.length === 0) return;
  const reversal = decideReversal(
    rows.map(({ id, paid_debt, voucher_id, voucher_status }) => ({
      id,
      paidDebt: paid_debt,
      voucher: voucher_id && voucher_status ? { id: voucher_id, status: voucher_status } : null,
    })),
  );
  const voided = await voidVouchers(tx, card, reversal.voidVouchers);
  await reverseStamps(tx, card, reversal);
  const balance = await readCardBalance(tx, card);
  for (const stampId of reversal.reverse)
    card.events.addStamp(stampReversed, { stampId, source: 'order', orderId, stampCount: balance.stampCount, goal: card.goal });
  for (const voucher of voided) card.events.addVoucher(voucherVoided, voucher, orderId);
  await settleCard(tx, card, balance);
}

/** Makes the voucher the order had redeemed active again, or expired where its last day is past. */
async function restore(tx: Transaction, card: LockedCard, orderId: string): Promise<void> {
  const voucher = await restoreVoucher(tx, card, orderId);
  if (voucher) card.events.addVoucher(voucher.status === 'active' ? voucherRestored : voucherExpired, voucher, orderId);
}

/** Redeems the restored voucher for the order again. The customer keeps one that was used meanwhile. */
async function redeemAgain(tx: Transaction, card: LockedCard, orderId: string): Promise<void> {
  const voucher = await redeemRestored(tx, card, orderId);
  if (voucher) card.events.addVoucher(voucherRedeemed, voucher, orderId);
}

/** Approves an order's reversed stamps again, and forgives the debt that taking them back had left. */
async function reinstate(tx: Transaction, card: LockedCard, orderId: string): Promise<void> {
  const stamps = await reinstateStamps(tx, card, orderId);
  if (stamps.length === 0) return;
  const forgiven = stamps.filter(({ left_debt }) => left_debt).length;
  if (forgiven > 0) await forgiveDebt(tx, card, forgiven);
  const balance = await readCardBalance(tx, card);
  await countStamps(tx, card, { ids: stamps.map(({ id }) => id), source: 'order', orderId }, balance);
}
