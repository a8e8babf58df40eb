import { type BusinessStatus, type FulfilmentStatus, type OrderStatus, Problem } from '@corner/contracts';

export type PaymentStatus = 'pending_payment' | 'payment_failed' | 'paid' | 'cancelled' | 'expired';

interface StatusColumns {
  readonly payment_status: PaymentStatus;
  readonly business_status: BusinessStatus | null;
  readonly refunded_pence: number;
  readonly fully_refunded: boolean;
}

/** Returns the `status` that clients read. Refunds of a paid order take precedence over its cancellation. */
export function orderStatus(order: StatusColumns): OrderStatus {
  if (order.payment_status !== 'paid') return order.payment_status;
  if (order.fully_refunded) return 'refunded';
  if (order.refunded_pence > 0) return 'partially_refunded';
  return order.business_status === 'cancelled' ? 'cancelled' : 'paid';
}

/** Whether an order is paid, and its preparation has not begun. */
export const isUnprepared = ({ business_status, fulfilment_status }: PreparedColumns): boolean =>
  business_status === 'placed' && (fulfilment_status === null || fulfilment_status === 'accepted');

interface PreparedColumns {
  readonly business_status: BusinessStatus | null;
  readonly fulfilment_status: FulfilmentStatus | null;
}

export const isUnpaid = ({ payment_status }: Pick<StatusColumns, 'payment_status'>): boolean =>
  payment_status === 'pending_payment' || payment_status === 'payment_failed';

export const cameTooLate = (order: { readonly payment_status: string; readonly is_first: boolean | null }): boolean =>
  order.payment_status === 'paid' && order.is_first === null;

/** Milliseconds for which an unfinished cancellation may be repeated as one. */
const cancellingMs = 86_400_000;

/**
 * Returns whether a cancellation ends the order together with its payment: the order is unpaid, or it was paid after such a cancellation
 * had begun and the store has done nothing with it since.
 */
export const cancelsPayment = (
  order: Pick<StatusColumns, 'payment_status' | 'business_status'> & {
    readonly cancel_begun_at: string | null;
    readonly preparing_at: string | null;
  },
  now: Date,
): boolean =>
  isUnpaid(order) ||
  (order.payment_status === 'paid' &&
    order.business_status === 'placed' &&
    order.preparing_at === null &&
    order.cancel_begun_at !== null &&
    now.getTime() - Date.parse(order.cancel_begun_at) < cancellingMs);

/** Seconds after which a payment under way may have ended. */
const payingSeconds = 5;

/** Returns the problem of an unpaid order, with a time to retry after while it is payable. */
export const orderNotPaid = (order: { readonly payment_status: string }, message?: string): Problem =>
  new Problem('ORDER_NOT_PAID', {
    ...(message === undefined ? {} : { message }),
    ...(order.payment_status === 'pending_payment' || order.payment_status === 'payment_failed'
      ? { retryAfterSeconds: payingSeconds }
      : {}),
  });
