import { on, onAll, type Transaction } from '@corner/chassis';
import {
  type EventOf,
  orderCancelled,
  orderExpired,
  orderPaid,
  orderRefunded,
  orderRefundFailed,
  paymentDisputed,
} from '@corner/contracts';
import { releaseReserved } from '../tables/vouchers.ts';
import { awardOrders } from '../transactions/award-orders.ts';
import { applyDispute, applyRefunds } from '../transactions/take-back-order.ts';

/** Awards the stamps of paid orders, unless the RPC has awarded them already. */
export const awardStampsWhenOrderPaid = onAll(orderPaid, ({ data }) => data, awardOrders);

/** Takes back the stamps of a fully refunded order, even when the refund arrives before the award. */
export const takeBackStampsWhenOrderRefunded = on(orderRefunded, ({ data, sequence }, tx) => applyRefunds(tx, data, sequence));

/**
 * Reinstates the stamps of an order whose full refund failed, and redeems the voucher again that the refund had restored. A refund that
 * was never accepted had changed neither.
 */
export const reinstateStampsWhenRefundFailed = on(orderRefundFailed, async ({ data, sequence }, tx) => {
  if (data.was_accepted) await applyRefunds(tx, { ...data, full: false }, sequence);
});

/** Holds the vouchers of a disputed order, and takes its stamps back when the dispute is lost. */
export const applyDisputeWhenPaymentDisputed = on(paymentDisputed, ({ data, sequence }, tx) => applyDispute(tx, data, sequence));

export const releaseVoucherWhenOrderExpired = on(orderExpired, ({ data, time }, tx) => release(tx, data, time));

export const releaseVoucherWhenOrderCancelled = on(orderCancelled, ({ data, time }, tx) => release(tx, data, time));

/** Releases the voucher that an unpaid order had reserved when it ended. The voucher of a paid order is redeemed. */
async function release(tx: Transaction, { order_id: orderId, store_id: storeId, voucher_id: voucherId, was_paid }: Ended, endedAt: string) {
  if (voucherId && !was_paid) await releaseReserved(tx, { storeId, voucherId, orderId, askedAt: endedAt });
}

type Ended = EventOf<typeof orderExpired>['data'];
