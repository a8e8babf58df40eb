import { crashPoint, handleRpc, on, onAll } from '@corner/chassis';
import {
  awardOrder as awardOrderRpc,
  orderCustomerBound,
  orderPaid,
  orderRefunded,
  orderRefundFailed,
  paymentDisputed,
  readOrderStamps as readOrderStampsRpc,
} from '@corner/contracts';
import type { Context } from '../context.ts';
import { attachTap, readOrderStamps } from './tables/order-stamps.ts';
import { awardOrder, awardOrders } from './transactions/award-orders.ts';
import { applyDispute, applyRefunds } from './transactions/take-back-stamps.ts';

/** Awards the stamps of paid orders, unless the RPC has already. A sale without a known customer is on no card. */
export const awardStampsWhenOrderPaid = onAll(
  orderPaid,
  ({ data }) => data,
  async (orders, tx) => {
    await awardOrders(
      orders.filter(({ task }) => !task.without_customer),
      tx,
    );
  },
);

/**
 * Awards a sale that a tap has put on a card. The stamp of the tap stands for its first one, so a purchase earns no more with a tap than
 * without.
 */
export const awardStampsWhenCustomerBound = on(orderCustomerBound, async ({ data }, tx) => {
  await awardOrders([{ task: { ...data, voucher_id: null }, within: (work) => work() }], tx);
  await attachTap(tx, { orderId: data.order_id, customerId: data.customer_id, stampId: data.stamp_id });
});

export const takeBackStampsWhenOrderRefunded = on(orderRefunded, async ({ data, sequence }, tx) => {
  if (!data.without_customer) await applyRefunds(tx, data, sequence);
});

/**
 * Reinstates the stamps of an order whose full refund failed, and redeems the voucher that the refund had restored. A refund that the
 * provider never accepted had changed neither.
 */
export const reinstateStampsWhenRefundFailed = on(orderRefundFailed, async ({ data, sequence }, tx) => {
  if (data.was_accepted && !data.without_customer) await applyRefunds(tx, { ...data, full: false }, sequence);
});

export const applyDisputeWhenPaymentDisputed = on(paymentDisputed, ({ data, sequence }, tx) => applyDispute(tx, data, sequence));

/** Awards a paid order's stamps while its customer waits. Needs no transaction, because one statement writes the whole award. */
export const handleAwardOrder = handleRpc(awardOrderRpc, async (order, { database, now, newId }: Context) => {
  const award = await database.publishing((queries) => awardOrder(order, { ...queries, now: now(), newId }));
  crashPoint('loyalty.award.before-response');
  return award;
});

export const handleReadOrderStamps = handleRpc(readOrderStampsRpc, async ({ order_id, customer_id, voucher_id }, { database }: Context) =>
  readOrderStamps(database, { orderId: order_id, customerId: customer_id, voucherId: voucher_id }),
);
