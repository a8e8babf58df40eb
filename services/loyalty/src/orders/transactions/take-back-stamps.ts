import type { Transaction } from '@corner/chassis';
import {
  type DataOf,
  type paymentDisputed,
  stampReversed,
  stampUndone,
  voucherExpired,
  voucherRedeemed,
  voucherRestored,
  voucherVoided,
} from '@corner/contracts';

import { readCardBalance } from '../../card/tables/stamps.ts';
import { changeCard, countStamps, type LockedCard, useStamps } from '../../card/transactions.ts';
import { decideReversal, reversalEffect } from '../rules.ts';
import {
  approvedStampsOf,
  type Entered,
  enterDispute,
  enterRefunds,
  forgiveDebt,
  type Refunds,
  redeemRestored,
  reinstateStamps,
  restoreVoucher,
  reverseStamps,
  type StampOrigin,
  voidVouchers,
} from '../tables/reversals.ts';

/**
 * Applies an order's refunds to its card. The event with the highest sequence wins, whatever the order of arrival. A full refund, and
 * one that leaves little, takes the order's stamps back; when it failed they are reinstated. Refunds that arrive before the award are
 * recorded for it.
 */
export async function applyRefunds(tx: Transaction, refunds: Refunds, sequence: number): Promise<void> {
  await changeCard(tx, ofOrder(refunds), async (card, key) => {
    const entered = await enterRefunds(tx, key, refunds, sequence);
    if (card) await applyReversal(tx, card, refunds.order_id, entered);
  });
}

/**
 * Applies a dispute over an order's payment to its card. While it is open, the vouchers made from the order's stamps cannot be used. A
 * lost one has the effects of a full refund, once; one that is won undoes them. A dispute that arrives before the award is recorded for it.
 */
export async function applyDispute(tx: Transaction, dispute: DataOf<typeof paymentDisputed>, sequence: number): Promise<void> {
  await changeCard(tx, ofOrder(dispute), async (card, key) => {
    const entered = await enterDispute(tx, key, dispute, sequence);
    if (card) await applyReversal(tx, card, dispute.order_id, entered);
  });
}

const ofOrder = ({
  order_id: orderId,
  store_id: storeId,
  customer_id: customerId,
}: Pick<Refunds, 'order_id' | 'store_id' | 'customer_id'>) => ({ storeId, customerId, of: { orderId } });

/**
 * Takes an order's stamps back and restores the voucher it had used, once, whether a full refund or a lost dispute came first; a refund
 * that leaves little takes back the stamps alone. Undoes that when it no longer holds: the refund failed, or the dispute was won after all.
 * The card is locked.
 */
async function applyReversal(tx: Transaction, card: LockedCard, orderId: string, entered: Entered): Promise<void> {
  const [stamps, money] = [reversalEffect(entered.stamps), reversalEffect(entered.money)];
  if (money === 'reinstate') await redeemAgain(tx, card, orderId);
  if (stamps === 'reinstate') await reinstateStampsOf(tx, card, { source: 'order', orderId });
  if (stamps === 'reverse') await takeBackStampsOf(tx, card, { source: 'order', orderId });
  if (money === 'reverse') await restore(tx, card, orderId);
}

/** Takes back the stamps that an order or a visit earned. The other stamps of a voided voucher become unused, and may pay debts or complete vouchers again. */
export async function takeBackStampsOf(tx: Transaction, card: LockedCard, origin: StampOrigin): Promise<void> {
  const rows = await approvedStampsOf(tx, card, origin);
  if (rows.length === 0) return;
  const reversal = decideReversal(
    rows.map(({ id, paid_debt, voucher_id, voucher_status }) => ({
      id,
      paidDebt: paid_debt,
      voucher: voucher_id && voucher_status ? { id: voucher_id, status: voucher_status } : null,
    })),
  );
  const voided = await voidVouchers(tx, card, reversal.voidVouchers);
  await reverseStamps(tx, card, origin, reversal);
  const balance = await readCardBalance(tx, card);
  const [event, orderId] = origin.source === 'order' ? [stampReversed, origin.orderId] : [stampUndone, null];
  for (const stampId of reversal.reverse)
    card.events.addStamp(event, { ...earnedBy(origin), stampId, stampCount: balance.stampCount, goal: card.goal });
  for (const voucher of voided) card.events.addVoucher(voucherVoided, voucher, orderId);
  await useStamps(tx, card, balance);
}

async function restore(tx: Transaction, card: LockedCard, orderId: string): Promise<void> {
  const voucher = await restoreVoucher(tx, card, orderId);
  if (voucher) card.events.addVoucher(voucher.status === 'active' ? voucherRestored : voucherExpired, voucher, orderId);
}

async function redeemAgain(tx: Transaction, card: LockedCard, orderId: string): Promise<void> {
  const voucher = await redeemRestored(tx, card, orderId);
  if (voucher) card.events.addVoucher(voucherRedeemed, voucher, orderId);
}

/**
 * Approves stamps again that were taken back, and forgives the debt that taking them back had left. Returns false when there are no such
 * stamps.
 */
export async function reinstateStampsOf(tx: Transaction, card: LockedCard, origin: StampOrigin): Promise<boolean> {
  const stamps = await reinstateStamps(tx, card, origin);
  if (stamps.length === 0) return false;
  const forgiven = stamps.filter(({ left_debt }) => left_debt).length;
  if (forgiven > 0) await forgiveDebt(tx, card, forgiven);
  const balance = await readCardBalance(tx, card);
  await countStamps(tx, card, { ...earnedBy(origin), ids: stamps.map(({ id }) => id) }, balance);
  return true;
}

const earnedBy = (origin: StampOrigin) =>
  origin.source === 'order' ? { source: origin.source, orderId: origin.orderId } : { source: origin.source, byId: origin.byId };
