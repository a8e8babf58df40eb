import { derivedUuid, RpcUnavailable } from '@corner/chassis';
import { Problem, type RpcOutput, releaseVoucher, reserveVoucher } from '@corner/contracts';
import type { Context } from '../context.ts';

/** Minutes a reservation outlives the order's holds, so that it never lapses before them. */
const graceMinutes = 10;

export interface VoucherUse {
  readonly orderId: string;
  readonly voucherId: string;
  readonly customerId: string;
  readonly storeId: string;
  readonly holdMinutes?: number;
}

export const voucherOf = (order: {
  readonly id: string;
  readonly store_id: string;
  readonly customer_id: string;
  readonly voucher_id: string | null;
}): VoucherUse | null =>
  order.voucher_id ? { orderId: order.id, voucherId: order.voucher_id, customerId: order.customer_id, storeId: order.store_id } : null;

/**
 * Derives the id of an order with a voucher from the customer and the idempotency key, so that a repeated request makes the same
 * reservation at loyalty, even when the first attempt stored nothing. Returns a UUID, version 8.
 */
export const orderIdFor = (customerId: string, key: string): string => derivedUuid(`order:${customerId}:${key.toLowerCase()}`);

/**
 * Reserves a voucher for an order about to be placed, and returns its reward. Idempotent for each order. Throws loyalty's problems, and
 * UPSTREAM_UNAVAILABLE when it does not reply: at worst a reservation remains, which lapses.
 */
export async function reserveForOrder(use: VoucherUse, { call, now, holdMinutes }: Context): Promise<RpcOutput<typeof reserveVoucher>> {
  const at = now();
  const minutes = Math.max(holdMinutes, use.holdMinutes ?? 0) + graceMinutes;
  const until = new Date(at.getTime() + minutes * 60_000).toISOString();
  const { orderId, voucherId, customerId, storeId } = use;
  try {
    return await call(reserveVoucher, {
      order_id: orderId,
      voucher_id: voucherId,
      customer_id: customerId,
      store_id: storeId,
      until,
      asked_at: at.toISOString(),
    });
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    throw new Problem('UPSTREAM_UNAVAILABLE', {
      message: 'voucher_id: vouchers cannot be used at the moment; try again, or order without it.',
      retryAfterSeconds: 2,
      cause: error,
    });
  }
}

/**
 * Reserves the voucher of an order again: for a late payment, or to extend the reservation. Returns false when loyalty refuses. Throws
 * UPSTREAM_UNAVAILABLE when loyalty does not reply.
 */
export async function reserveAgain(use: VoucherUse, context: Context): Promise<boolean> {
  try {
    await reserveForOrder(use, context);
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'UPSTREAM_UNAVAILABLE') throw new Problem('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 2, cause: error });
    return false;
  }
}

/** Releases the reservation of an order that was not placed. A failure is only logged: the reservation lapses later. */
export async function releaseForOrder({ orderId, voucherId, storeId }: VoucherUse, { call, log, now }: Context): Promise<void> {
  try {
    await call(releaseVoucher, { order_id: orderId, voucher_id: voucherId, store_id: storeId, asked_at: now().toISOString() });
  } catch (error) {
    log.warn({ err: error, order_id: orderId }, 'a voucher stays reserved until its reservation lapses');
  }
}

/**
 * Reserves the voucher, if there is one, and runs `work` with its reward; null without a voucher. A Problem thrown by `work` releases the
 * voucher. After any other error the order may have been placed, so the reservation stays.
 */
export async function withVoucher<T>(
  voucher: VoucherUse | null,
  context: Context,
  work: (reward: RpcOutput<typeof reserveVoucher> | null) => Promise<T>,
): Promise<T> {
  const reward = voucher ? await reserveForOrder(voucher, context) : null;
  try {
    return await work(reward);
  } catch (error) {
    if (voucher && error instanceof Problem) await releaseForOrder(voucher, context);
    throw error;
  }
}
