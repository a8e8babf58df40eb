import { type Caller, hasRole, type Operation, type Queries, RpcUnavailable, requireScope } from '@corner/chassis';
import { type orders, Problem, type RpcOutput, reachCustomer } from '@corner/contracts';
import type { ConfirmationContext } from '../confirmation/index.ts';
import type { Context } from '../context.ts';
import { receiptUrl } from '../order/crypto.ts';
import { orderView } from '../order/rules/order-views.ts';
import { cancelsPayment } from '../order/rules/status.ts';
import { findOrder, type OrderRow } from '../order/tables/orders.ts';
import { findRefunds, refundView, remainingPence } from '../refunds/index.ts';
import { customerOrderView, findCustomerOrder } from '../shop/index.ts';
import { cancelAsCustomer, cancelAsStaff, cancelUnpaidOrder } from './sagas.ts';
import { collectEarlier as moveToEarlierSlot, notifyDelay as noteDelay } from './transactions/change-time.ts';
import { correctOrder as correct } from './transactions/correct-order.ts';
import { advanceFulfilment as advance, setBusinessStatus as setStatus } from './transactions/move-order.ts';

/**
 * Moves a collect order to its next fulfilment status, or cancels and refunds it. The same status again changes nothing, including times.
 */
export const advanceFulfilment: Operation<typeof orders.advanceFulfilment, ConfirmationContext> = async (
  { caller, params, body },
  context,
) => {
  const { store_id: storeId, to_status: to } = body;
  const { orderId } = params;
  if (body.refund) {
    const { order, refund } = await cancelAsStaff(context, {
      storeId,
      orderId,
      axis: 'fulfilment',
      note: null,
      by: refundingPerson(caller, storeId),
    });
    return { order: await readView(context.database, order), refund: refund && refundView(refund) };
  }
  const change = { storeId, orderId, to, actor: caller.name };
  return { order: orderView(await context.database.transaction((tx) => advance(tx, change))) };
};

function refundingPerson(caller: Caller, storeId: string) {
  // The scope to move orders does not include refunds.
  if (caller.type === 'partner') requireScope(caller, 'orders:refund');
  return { id: caller.id, name: caller.name, isLimited: !hasRole(caller, storeId, 'manager') };
}

const readView = async (queries: Queries, order: OrderRow) => orderView((await findOrder(queries, order.store_id, order.id)) ?? order);

export const correctOrder: Operation<typeof orders.correctOrder, Context> = async ({ caller, params, body }, { database }) => {
  const { store_id: storeId, to_status: to, reason } = body;
  const correction = { storeId, orderId: params.orderId, to, reason, by: { id: caller.id, name: caller.name } };
  return { order: orderView(await database.transaction((tx) => correct(tx, correction))) };
};

/** Cancels the caller's order that the store has not begun to prepare, and refunds it. An order that has ended stays as it is. */
export const cancelMyOrder: Operation<typeof orders.cancelMyOrder, ConfirmationContext> = async ({ caller, params, body }, context) => {
  await cancelAsCustomer(context, { storeId: body.store_id, orderId: params.orderId, customer: { id: caller.id, name: caller.name } });
  const order = await findCustomerOrder(context.database, caller.id, params.orderId);
  if (!order) throw new Problem('ORDER_NOT_FOUND');
  return { order: customerOrderView(order, receiptUrl(context.receiptLinks, order.id)) };
};

/** Moves the caller's ready order to an earlier slot, first come, first served. Its old place is free at once. */
export const collectEarlier: Operation<typeof orders.collectEarlier, Context> = async ({ caller, body }, { database }) => {
  const { store_id: storeId, order_id: orderId, slot_id: slotId } = body;
  const slot = await database.transaction((tx) => moveToEarlierSlot(tx, { storeId, orderId, customerId: caller.id, slotId }));
  return {
    to_slot_id: slot.id,
    requested_collection_at: slot.collectAt,
    orders_remaining: slot.capacity === null ? null : Math.max(0, slot.capacity - slot.used),
  };
};

/**
 * Records that an order will be late, and notifies the customer. The same notice again within a minute is a double tap and changes
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

async function fetchChannel(
  customerId: string,
  storeId: string,
  { call, log }: Context,
): Promise<RpcOutput<typeof reachCustomer>['channel'] | null> {
  try {
    return (await call(reachCustomer, { customer_id: customerId, store_id: storeId })).channel;
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
    log.warn({ err: error }, 'notifications did not reply how the customer can be reached');
    return null;
  }
}

/**
 * Sets the business status of an order. The same status again changes nothing. Cancelling a paid order releases holds and moves no money,
 * unless the request asks for the refund. An unpaid order is cancelled together with its payment intent; a payment that succeeds meanwhile
 * is refunded.
 */
export const setBusinessStatus: Operation<typeof orders.setBusinessStatus, ConfirmationContext> = async (
  { caller, params, body },
  context,
) => {
  const { database } = context;
  const found = await findOrder(database, body.store_id, params.orderId);
  if (!found) throw new Problem('ORDER_NOT_FOUND');
  const by = { actor: caller.name, actorId: caller.id, note: body.note ?? null };
  const isUnpaid = body.status === 'cancelled' && cancelsPayment(found, context.now());
  const unpaid = isUnpaid ? await cancelUnpaidOrder(context, found, by) : null;
  const ids = { storeId: body.store_id, orderId: params.orderId };
  const refunded =
    body.refund && !unpaid
      ? await cancelAsStaff(context, { ...ids, axis: 'business', note: by.note, by: refundingPerson(caller, body.store_id) })
      : null;
  const order =
    unpaid ??
    refunded?.order ??
    (await database.transaction((tx) =>
      setStatus(tx, {
        ...by,
        ...ids,
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
    ...(body.refund ? { refund: refunded?.refund ? refundView(refunded.refund) : null } : {}),
  };
};

async function readRefundable(queries: Queries, order: OrderRow): Promise<number> {
  if (order.payment_status !== 'paid') return 0;
  const payment = order.parent_order_id ? await findOrder(queries, order.store_id, order.parent_order_id) : order;
  return payment ? Math.max(0, remainingPence(payment, order, await findRefunds(queries, payment.id))) : 0;
}
