import type { Transaction } from '@corner/chassis';
import { voucherRedeemed } from '@corner/contracts';
import { type Award, awardOf, noAward, stampsEarned } from '../rules/orders.ts';
import type { PaidOrder } from '../tables/awards.ts';
import { enterPaidOrder, findLedgerEntry } from '../tables/order-ledger.ts';
import { freeAsRestored } from '../tables/restored-vouchers.ts';
import { insertOrderStamps } from '../tables/stamps.ts';
import { redeemForOrder } from '../tables/vouchers.ts';
import { changeCard, type LockedCard } from './change-card.ts';
import { countStamps } from './count-stamps.ts';

/**
 * Awards a paid order's stamps and redeems its voucher, once, under its card's lock. Of an order that has an award, it returns that award.
 * Where the order's full refund or lost dispute was consumed first, its stamps are inserted as reversed, so that they count if that is
 * undone.
 */
export async function awardOrder(tx: Transaction, order: PaidOrder): Promise<Award> {
  return await changeCard(tx, { storeId: order.store_id, customerId: order.customer_id }, (card) => award(tx, card, order));
}

async function award(tx: Transaction, card: LockedCard | null, order: PaidOrder): Promise<Award> {
  const entry = await findLedgerEntry(tx, order.order_id);
  if (entry?.paid) return entry.award ?? noAward(card?.goal ?? 0, 0);
  const reversed = entry?.reversed ?? false;
  if (card && order.voucher_id) await useVoucher(tx, card, { voucherId: order.voucher_id, orderId: order.order_id }, reversed);
  const made = card ? await stampCard(tx, card, order, reversed) : noAward(0, 0);
  await enterPaidOrder(tx, order, made);
  return made;
}

/** Redeems the order's voucher, or frees it where the money of the order went back already. */
async function useVoucher(
  tx: Transaction,
  card: LockedCard,
  { voucherId, orderId }: { readonly voucherId: string; readonly orderId: string },
  reversed: boolean,
): Promise<void> {
  if (reversed) return await freeAsRestored(tx, card, { voucherId, orderId });
  const voucher = await redeemForOrder(tx, { ...card, voucherId }, orderId);
  if (voucher) card.events.addVoucher(voucherRedeemed, voucher, orderId);
}

async function stampCard(tx: Transaction, card: LockedCard, order: PaidOrder, reversed: boolean): Promise<Award> {
  const earned = stampsEarned(card, order);
  const stampIds = Array.from({ length: earned }, () => tx.newId());
  const balance = await insertOrderStamps(tx, card, { orderId: order.order_id, stampIds, reversed });
  if (earned === 0 || reversed) return noAward(card.goal, balance.stampCount);
  const { minted, stampCount } = await countStamps(tx, card, { ids: stampIds, source: 'order', orderId: order.order_id }, balance);
  return awardOf(card, { earned, stampCount, minted: minted.length > 0 });
}
