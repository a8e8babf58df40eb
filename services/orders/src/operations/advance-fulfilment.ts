import { type Operation, tell } from '@corner/chassis';
import {
  type BusinessStatus,
  type FulfilmentStatus,
  orderCancelled,
  orderFulfilmentChanged,
  type orders,
  Problem,
} from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { decideMove } from '../rules/fulfilment.ts';
import { releaseStock } from '../tables/holds.ts';
import { appendLog } from '../tables/log.ts';
import { lockOrder, viewOf } from '../tables/orders.ts';

const businessFor: Partial<Record<FulfilmentStatus, BusinessStatus>> = { ready: 'ready', collected: 'fulfilled', cancelled: 'cancelled' };
const titles: Record<FulfilmentStatus, string> = {
  accepted: 'The order was accepted',
  preparing: 'Preparation began',
  ready: 'The order is ready to collect',
  collected: 'The order was collected',
  cancelled: 'The order was cancelled',
};

/** Moves a collect order along. The same status again changes nothing, not even a time. */
export const advanceFulfilment: Operation<typeof orders.advanceFulfilment, Context> = async ({ caller, params, body }, { database, now }) =>
  await database.transaction(async (tx) => {
    const order = await lockOrder(tx, body.store_id, params.orderId);
    if (!order) throw new Problem('ORDER_NOT_FOUND');
    if (order.order_type !== 'collect') throw new Problem('FULFILMENT_NOT_APPLICABLE');
    if (order.payment_status !== 'paid') throw new Problem('ORDER_NOT_PAID');
    const to = body.to_status;
    if (!decideMove(order.fulfilment_status, to)) return { order: viewOf(order) };
    const at = now();
    const stamp = (status: string) => (to === status ? at.toISOString() : null);
    await tx.query(sql.prepared('advance-fulfilment', z.object({}))`
      update orders
      set fulfilment_status = ${to}, version = version + 1, business_status = coalesce(${businessFor[to] ?? null}, business_status),
          accepted_at = coalesce(${stamp('accepted')}::timestamptz, accepted_at),
          preparing_at = coalesce(${stamp('preparing')}::timestamptz, preparing_at),
          ready_at = coalesce(${stamp('ready')}::timestamptz, ready_at),
          collected_at = coalesce(${stamp('collected')}::timestamptz, collected_at),
          fulfilled_at = coalesce(${stamp('collected')}::timestamptz, fulfilled_at),
          cancelled_at = coalesce(${stamp('cancelled')}::timestamptz, cancelled_at)
      where id = ${order.id} and store_id = ${order.store_id}`);
    const names = { order_id: order.id, order_number: order.order_number, store_id: order.store_id, customer_id: order.customer_id };
    const about = { aggregateId: order.id, sequence: order.version + 1, storeId: order.store_id, customerId: order.customer_id };
    await appendLog(tx, {
      storeId: order.store_id,
      orderId: order.id,
      at,
      kind: to,
      title: titles[to],
      actor: caller.name,
      detail: to === 'cancelled' ? 'No refund was made.' : null,
    });
    await tell(tx, orderFulfilmentChanged, {
      ...about,
      data: { ...names, from: order.fulfilment_status, to, at: at.toISOString(), collection_code: order.collection_code },
    });
    if (to === 'cancelled') {
      // What was made is gone; what was not made goes back.
      if (order.fulfilment_status !== 'ready') await releaseStock(tx, order.store_id, order.id);
      await tell(tx, orderCancelled, { ...about, data: { ...names, voucher_id: order.voucher_id, was_paid: true, reason: null } });
    }
    const moved = await lockOrder(tx, body.store_id, params.orderId);
    if (!moved) throw new Error('a locked order is gone');
    return { order: viewOf(moved) };
  });
