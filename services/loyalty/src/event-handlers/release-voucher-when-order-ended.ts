import { on, type Transaction } from '@corner/chassis';
import { type EventOf, orderCancelled, orderExpired } from '@corner/contracts';
import { releaseReserved } from '../tables/vouchers.ts';

export const releaseVoucherWhenOrderExpired = on(orderExpired, ({ data }, tx) => release(tx, data));

export const releaseVoucherWhenOrderCancelled = on(orderCancelled, ({ data }, tx) => release(tx, data));

/** Releases the voucher an unpaid order had reserved. The voucher of a paid order is redeemed. */
async function release(tx: Transaction, { order_id: orderId, store_id: storeId, voucher_id: voucherId, was_paid }: Ended): Promise<void> {
  if (voucherId && !was_paid) await releaseReserved(tx, { storeId, voucherId, orderId });
}

type Ended = EventOf<typeof orderExpired>['data'];
