import { Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import type { Placed } from '../tables/checkout-data.ts';
import { holdAgain } from '../transactions/hold-again.ts';
import { releaseForOrder, reserveForOrder, voucherOf } from './reserve-voucher.ts';

/**
 * Takes again what an unpaid order gave back when its payment could not be prepared: its voucher, places, stock and promo code. Throws
 * loyalty's problems, SLOT_JUST_FILLED, OUT_OF_STOCK and PROMO_LIMIT_REACHED when something is gone; the order then holds nothing.
 */
export async function takeUpOrder(order: Placed, context: Context): Promise<void> {
  const { id: orderId, store_id: storeId } = order;
  const { database, holdMinutes } = context;
  const voucher = voucherOf(order);
  if (voucher) await reserveForOrder(voucher, context);
  try {
    await database.transaction((tx) => holdAgain(tx, { storeId, orderId, holdMinutes }));
  } catch (error) {
    if (voucher && error instanceof Problem) await releaseForOrder(voucher, context);
    throw error;
  }
}
