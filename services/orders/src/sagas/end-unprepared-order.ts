import type { Context } from '../context.ts';
import type { Placed } from '../tables/checkout-data.ts';
import { endUnpaidOrder } from '../transactions/end-unpaid-order.ts';
import { releaseUnprepared } from '../transactions/release-unprepared.ts';
import { releaseForOrder, voucherOf } from './reserve-voucher.ts';

/**
 * Gives back what an order holds whose payment could not be prepared, before the response leaves: the customer may try again with
 * another key, and others may buy the last one. The order stays, for a repeat with the same key. `providerId` is the customer's id at
 * the provider, null when it has none yet.
 */
export async function releaseUnpreparedOrder(order: Placed, providerId: string | null, context: Context): Promise<void> {
  const { id: orderId, store_id: storeId, customer_id: customerId } = order;
  const isReleased = await context.database.transaction((tx) => releaseUnprepared(tx, { storeId, orderId, customerId, providerId }));
  const voucher = voucherOf(order);
  if (isReleased && voucher) await releaseForOrder(voucher, context);
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
