import { type Operation, type Queries, RpcUnavailable } from '@corner/chassis';
import { type orders, Problem, type RpcOutput, reachCustomer } from '@corner/contracts';
import type { Context } from '../context.ts';
import { cancelsPayment } from '../order/rules/order-status.ts';
import { orderView } from '../order/rules/order-view.ts';
import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { findRefundable } from '../refunds/index.ts';
import { cancelUnpaidOrder } from './sagas.ts';
import { advanceFulfilment as advance, setBusinessStatus as setStatus } from './transactions/change-status.ts';
import { collectEarlier as moveToEarlierSlot } from './transactions/collect-earlier.ts';
import { notifyDelay as noteDelay } from './transactions/notify-delay.ts';

/** Moves a collect order to its next fulfilment status. The same status again changes nothing, not even a time. */
export const advanceFulfilment: Operation<typeof orders.advanceFulfilment, Context> = async ({ caller, params, body }, { database }) => {
  const change = { storeId: body.store_id, orderId: params.orderId, to: body.to_status, actor: caller.name };
  return { order: orderView(await database.transaction((tx) => advance(tx, change))) };
};

/** Moves the caller's ready order to an earlier slot: first come, first served. The place it had is free at once. */
export const collectEarlier: Operation<typeof orders.collectEarlier, Context> = async ({ caller, body }, { database }) => {
  const { store_id: storeId, order_id: orderId, slot_id: slotId } = body;
  const slot = await database.transaction((tx) => moveToEarlierSlot(tx, { storeId, orderId, customerId: caller.id, slotId }));
  return {
    to_slot_id: slot.id,
    requested_collection_at: slot.starts_at,
    orders_remaining: slot.capacity === null ? null : Math.max(0, slot.capacity - slot.used),
  };
};

/**
 * Notes that an order will be late, and notifies the customer. The same notice again within a minute is a double tap and changes
 * nothing; a different one changes the time, and the customer is notified when the minute is over.
 */
export const notifyDelay: Operation<typeof orders.notifyDelay, Context> = async ({ caller, params, body }, context) => {
  const noted = await context.database.transaction((tx) =>
    noteDelay(tx, {
      storeId: body.store_id,
      orderId: params.orderId,
      delayMinutes: body.delayMinutes,
      newReadyAt: body.newReadyAt,
      note: body.note || null,
      actor: caller.name,
    }),
  );
  const reply = { ok: true, newEta: noted.readyAt } as const;
  if (noted.outcome === 'ignored') return { ...reply, notified: 'none', channel_detail: 'deduplicated' };
  if (noted.outcome === 'deferred') {
    return { ...reply, notified: 'none', channel_detail: 'sent when a minute has passed since the last notice' };
  }
  return { ...reply, notified: (await fetchChannel(noted.customerId, body.store_id, context)) ?? noted.channel };
};

/** The channel over which notifications reaches the customer; null when it does not reply. */
async function fetchChannel(
  customerId: string,
  storeId: string,
  { call, log }: Context,
): Promise<RpcOutput<typeof reachCustomer>['channel'] | null> {
  try {
    return (await call(reachCustomer, { customer_id: customerId, store_id: storeId })).channel;
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    log.warn({ err: error }, 'notifications did not say how the customer can be reached');
    return null;
  }
}

/**
 * Sets the business status of an order. The same status again changes nothing. Cancelling a paid order releases holds and moves no
 * money. An unpaid order is cancelled together with its payment intent; a payment that succeeds meanwhile is refunded.
 */
export const setBusinessStatus: Operation<typeof orders.setBusinessStatus, Context> = async ({ caller, params, body }, context) => {
  const { database } = context;
  const found = await findOrder(database, body.store_id, params.orderId);
  if (!found) throw new Problem('ORDER_NOT_FOUND');
  const by = { actor: caller.name, note: body.note ?? null };
  const cancelled =
    body.status === 'cancelled' && cancelsPayment(found, context.now()) ? await cancelUnpaidOrder(context, found, by) : null;
  const order =
    cancelled ??
    (await database.transaction((tx) =>
      setStatus(tx, {
        ...by,
        storeId: body.store_id,
        orderId: params.orderId,
        to: body.status,
        manages: ['owner', 'manager'].includes(caller.stores.get(body.store_id) ?? ''),
      }),
    ));
  return {
    order: {
      id: order.id,
      store_id: order.store_id,
      status: order.business_status,
      order_type: order.order_type,
      fulfilled_at: order.fulfilled_at,
      cancelled_at: order.cancelled_at,
      refundable_pence: order.business_status === 'cancelled' ? await readRefundable(database, order) : null,
    },
  };
};

/** Reads what is left to refund of a cancelled order or leg, in pence; 0 when it was not paid. */
async function readRefundable(queries: Queries, order: OrderRow): Promise<number> {
  if (order.payment_status !== 'paid') return 0;
  const [left] = await findRefundable(queries, order.parent_order_id ?? order.id, [order.id]);
  return Math.max(0, left?.pence ?? 0);
}
