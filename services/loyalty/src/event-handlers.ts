import { on, onAll, type Transaction } from '@corner/chassis';
import {
  directoryCustomer,
  directoryProgramme,
  directoryStaff,
  directoryStore,
  type EventOf,
  orderCancelled,
  orderExpired,
  orderPaid,
  orderRefunded,
  orderRefundFailed,
  paymentDisputed,
  queueClaimed,
  queueCompleted,
  queueJoined,
} from '@corner/contracts';
import { staffCardHash } from './crypto/hashes.ts';
import { monthlyQuota } from './rules/card.ts';
import { validCards } from './rules/staff.ts';
import { saveCustomer, saveProgramme, saveStaff, saveStore } from './tables/directory.ts';
import { releaseReserved } from './tables/vouchers.ts';
import { awardOrders } from './transactions/award-orders.ts';
import { recordVisits } from './transactions/record-visits.ts';
import { applyDispute, applyRefunds } from './transactions/take-back-order.ts';

/** Saves the newest snapshot of a store. */
export const projectStore = on(directoryStore, ({ data }, tx) => saveStore(tx, data));

/** Saves the newest snapshot of a programme. A changed goal applies from the next stamp on. */
export const projectProgramme = on(directoryProgramme, ({ data }, tx) =>
  saveProgramme(tx, data, monthlyQuota(data.plan_key, data.monthly_stamp_quota)),
);

/** Saves the newest snapshot of a customer. */
export const projectCustomer = on(directoryCustomer, ({ data }, tx) => saveCustomer(tx, data));

/** Saves the newest snapshot of a member of staff. */
export const projectStaff = on(directoryStaff, ({ data }, tx) => {
  const cardHashes = validCards(data).map(({ store_id, token_id }) => staffCardHash(store_id, token_id));
  return saveStaff(tx, data, cardHashes);
});

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

/** Records the visits of customers who joined a store’s queue. */
export const recordVisitWhenQueueJoined = onAll(queueJoined, ({ data }) => data, recordVisits);

/** Records the visits of customers who joined a store’s queue as guests and then signed in. */
export const recordVisitWhenQueueClaimed = onAll(queueClaimed, ({ data }) => data, recordVisits);

/** Records the visits of customers whom a store served from its queue. */
export const recordVisitWhenQueueCompleted = onAll(queueCompleted, ({ data }) => data, recordVisits);

type Ended = EventOf<typeof orderExpired>['data'];
