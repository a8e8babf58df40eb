import { Problem } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { isUnpaid } from '../../order/rules/order-status.ts';
import { endUnpaidOrder, releaseForOrder, reserveAgain, reserveForOrder, voucherOf } from '../../payment/index.ts';
import { type Placed, readPlaced } from '../tables/checkout-data.ts';
import { holdAgain, releaseUnprepared } from '../transactions/unprepared-holds.ts';

/**
 * Gives back what an order holds whose payment could not be prepared, before the response leaves: the customer may try again with
 * another key, and others may buy the last one. The order stays, for a repeat with the same key. `providerId` is the customer's id at
 * the provider, null when it has none yet.
 */
export async function releaseUnpreparedOrder(order: Placed, providerId: string | null, context: Context): Promise<void> {
  const { id: orderId, store_id: storeId, customer_id: customerId } = order;
  const isReleased = await context.database.transaction((tx) => releaseUnprepared(tx, { storeId, orderId, customerId, providerId }));
  if (isReleased) await giveBackVoucher(order, context);
}

/**
 * Releases the voucher of an order that holds nothing. Another request for the order may have taken it up meanwhile: it held everything
 * before it reserved the voucher, so either this sees that and reserves the voucher again, or the other reserves it after this.
 */
async function giveBackVoucher(order: Placed, context: Context): Promise<void> {
  const voucher = voucherOf(order);
  if (!voucher) return;
  await releaseForOrder(voucher, context);
  const now = await readPlaced(context.database, order.id);
  if (!now.holds_released && isUnpaid(now)) await reserveAgain(voucher, context);
}

/** Cancels an order whose payment the provider declined to prepare, and gives back what it holds, before the response leaves. */
export async function cancelUnpreparedOrder(order: Placed, context: Context): Promise<void> {
  await context.database.transaction((tx) =>
    endUnpaidOrder(tx, {
      storeId: order.store_id,
      orderId: order.id,
      as: 'cancelled',
      title: 'The payment provider declined to create a payment for the order',
    }),
  );
  const voucher = voucherOf(order);
  if (voucher) await releaseForOrder(voucher, context);
}

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
