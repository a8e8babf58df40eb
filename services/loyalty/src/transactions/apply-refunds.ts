import type { Transaction } from '@corner/chassis';
import { stampReversed, voucherExpired, voucherRestored, voucherVoided } from '@corner/contracts';
import { decideReversal, refundEffect } from '../rules/reversal.ts';
import { readCardBalance } from '../tables/cards.ts';
import { forgiveDebt } from '../tables/debts.ts';
import { enterRefunds, type Refunds } from '../tables/order-ledger.ts';
import { approvedStampsOfOrder, reinstateStamps, reverseStamps } from '../tables/stamp-changes.ts';
import { restoreVoucher, voidVouchers } from '../tables/vouchers.ts';
import { countStamps, settleCard } from './count-stamps.ts';
import { type LockedCard, lockCard } from './lock-card.ts';

/**
 * Applies an order's refunds to its card. The event with the highest sequence wins, whatever the order of arrival. A full refund takes
 * the order's stamps back; a full refund that failed reinstates them. Refunds that arrive before the award are recorded for it.
 */
export async function applyRefunds(tx: Transaction, refunds: RefundsToApply, sequence: number): Promise<void> {
  const { order_id: orderId, voucher_id: voucherId } = refunds;
  const card = await lockCard(tx, { storeId: refunds.store_id, customerId: refunds.customer_id });
  const { reversed, earlier } = await enterRefunds(tx, refunds, sequence);
  if (!card) return;
  const effect = refundEffect({ reversed: earlier }, { reversed });
  switch (effect) {
    case 'none':
      return;
    case 'reinstate':
      return await reinstate(tx, card, orderId);
    case 'reverse':
      await reverse(tx, card, orderId);
      if (voucherId) await restore(tx, card, voucherId, orderId);
      return;
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
    await card.publishStamp(stampReversed, { stampId, source: 'order', orderId, stampCount: balance.stampCount });
  for (const voucher of voided) await card.publishVoucher(voucherVoided, voucher, orderId);
  await settleCard(tx, card, balance);
}

/** Makes the voucher the order had redeemed active again, or expired where its last day is past. */
async function restore(tx: Transaction, card: LockedCard, voucherId: string, orderId: string): Promise<void> {
  const voucher = await restoreVoucher(tx, { ...card, voucherId }, orderId);
  if (voucher) await card.publishVoucher(voucher.status === 'active' ? voucherRestored : voucherExpired, voucher, orderId);
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

/** An order's refunds, with the voucher the order was paid with: a full refund makes that usable again. */
export type RefundsToApply = Refunds & { readonly voucher_id: string | null };
