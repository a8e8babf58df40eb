import { Problem } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { reserveForOrder, voucherOf } from '../../payment/index.ts';
import type { Placed } from '../tables/checkout-data.ts';
import { holdAgain } from '../transactions/hold-again.ts';
import { giveBackVoucher, releaseUnpreparedOrder } from './end-unprepared-order.ts';

/**
 * Takes again what an unpaid order gave back when its payment could not be prepared: its places, stock and promo code, then its voucher.
 * Throws loyalty's problems, SLOT_JUST_FILLED, OUT_OF_STOCK and PROMO_LIMIT_REACHED when something is gone; the order then holds nothing.
 */
export async function takeUpOrder(order: Placed, context: Context): Promise<void> {
  const { id: orderId, store_id: storeId } = order;
  const { database, holdMinutes } = context;
  try {
    await database.transaction((tx) => holdAgain(tx, { storeId, orderId, holdMinutes }));
  } catch (error) {
    if (error instanceof Problem) await giveBackVoucher(order, context);
    throw error;
  }
  const voucher = voucherOf(order);
  if (!voucher) return;
  try {
    await reserveForOrder(voucher, context);
  } catch (error) {
    if (error instanceof Problem) await releaseUnpreparedOrder(order, order.payment_customer, context);
    throw error;
  }
}
