import { on, type Transaction } from '@corner/chassis';
import { type EventOf, orderCancelled, orderExpired } from '@corner/contracts';
import { releaseReserved } from '../tables/vouchers.ts';

export const releaseVoucherWhenOrderExpired = on(orderExpired, ({ data, time }, tx) => release(tx, data, time));

export const releaseVoucherWhenOrderCancelled = on(orderCancelled, ({ data, time }, tx) => release(tx, data, time));

/** Releases the voucher that an unpaid order had reserved when it ended. The voucher of a paid order is redeemed. */
async function release(tx: Transaction, { order_id: orderId, store_id: storeId, voucher_id: voucherId, was_paid }: Ended, endedAt: string) {
  if (voucherId && !was_paid) await releaseReserved(tx, { storeId, voucherId, orderId, askedAt: endedAt });
}

type Ended = EventOf<typeof orderExpired>['data'];
