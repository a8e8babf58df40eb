import { createHash } from 'node:crypto';
import { RpcUnavailable } from '@corner/chassis';
import { Problem, type RpcOutput, releaseVoucher, reserveVoucher } from '@corner/contracts';
import type { Context } from '../context.ts';

/** Minutes a reservation outlives the hold of the order it is for, so that it is never freed first. */
const beyondHoldMinutes = 10;

export interface VoucherUse {
  readonly orderId: string;
  readonly voucherId: string;
  readonly customerId: string;
  readonly storeId: string;
}

/**
 * The id of the order a customer's key with a voucher stands for: made of both, so that whoever repeats the request asks loyalty
 * for the same reservation, also when nothing else of the first attempt is left. UUID version 8.
 */
export function orderIdFor(customerId: string, key: string): string {
  const hex = createHash('sha256').update(`order:${customerId}:${key.toLowerCase()}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Has loyalty reserve a voucher for an order about to be placed; asked again for the same order it is the same reservation.
 * Throws loyalty's refusals, and UPSTREAM_UNAVAILABLE when it does not answer: nothing is held then but, at worst, a reservation
 * that lapses by itself.
 */
export async function reserveFor(use: VoucherUse, { call, now, holdMinutes }: Context): Promise<RpcOutput<typeof reserveVoucher>> {
  const until = new Date(now().getTime() + (holdMinutes + beyondHoldMinutes) * 60_000).toISOString();
  const { orderId, voucherId, customerId, storeId } = use;
  try {
    return await call(reserveVoucher, { order_id: orderId, voucher_id: voucherId, customer_id: customerId, store_id: storeId, until });
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
 * Reserves the voucher of an order that had ended once more, for a payment that came after all. Answers whether it is the order's;
 * throws UPSTREAM_UNAVAILABLE when loyalty does not say.
 */
export async function reserveAgain(use: VoucherUse, context: Context): Promise<boolean> {
  try {
    await reserveFor(use, context);
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'UPSTREAM_UNAVAILABLE') throw new Problem('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 2, cause: error });
    return false;
  }
}

/** Gives a reservation back that no order came of. Nobody answering is no fault: it lapses by itself. */
export async function releaseFor({ orderId, voucherId, storeId }: VoucherUse, { call, log }: Context): Promise<void> {
  try {
    await call(releaseVoucher, { order_id: orderId, voucher_id: voucherId, store_id: storeId });
  } catch (error) {
    log.warn({ err: error, order_id: orderId }, 'a voucher stays reserved until its reservation lapses');
  }
}
