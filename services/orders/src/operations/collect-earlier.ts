import { type Operation, publish } from '@corner/chassis';
import { orderSlotMoved, type orders, Problem } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { refuseShut } from '../rules/slots.ts';
import { appendLog } from '../tables/log.ts';
import { lockFamily, namesOf, nextOf } from '../tables/orders.ts';
import { lockSlots } from '../tables/slots.ts';

/**
 * Moves a ready order onto an earlier slot: first come, first served. Order, then both slots in order of id are locked, so that who
 * finds a place keeps it, and the place left behind is free in the same moment.
 */
export const collectEarlier: Operation<typeof orders.collectEarlier, Context> = async ({ caller, body }, { database, now }) =>
  await database.transaction(async (tx) => {
    const family = await lockFamily(tx, body.store_id, body.order_id);
    const order = family?.named;
    if (!order || order.customer_id !== caller.id) throw new Problem('ORDER_NOT_FOUND');
    if (order.payment_status !== 'paid' || order.fulfilment_status !== 'ready') throw new Problem('ORDER_NOT_READY');
    const { slot_id: from } = order;
    if (!from) throw new Problem('ORDER_HAS_NO_SLOT');
    const slots = await lockSlots(tx, order.store_id, [from, body.slot_id]);
    const booked = slots.find(({ id }) => id === from);
    const wanted = slots.find(({ id }) => id === body.slot_id);
    if (!wanted) throw new Problem('SLOT_NOT_FOUND');
    const answer = (used: number) => ({
      to_slot_id: wanted.id,
      requested_collection_at: wanted.starts_at,
      orders_remaining: wanted.capacity === null ? null : Math.max(0, wanted.capacity - used),
    });
    if (wanted.id === from) return answer(wanted.used);
    const bookedAt = booked?.starts_at ?? order.requested_collection_at ?? '';
    if (Date.parse(wanted.starts_at) >= Date.parse(bookedAt)) throw new Problem('NOT_EARLIER');
    const at = now();
    refuseShut(wanted, at);
    await tx.query(sql.prepared('move-slot', z.object({}))`
      with moved as (
        update hold set ref = ${wanted.id} where order_id = ${order.id} and kind = 'slot' and ref = ${from} and state <> 'released'
      ), places as (
        update slot set used = used + case when id = ${wanted.id} then 1 else -1 end
        where store_id = ${order.store_id} and id in (${wanted.id}, ${from})
      )
      update orders set slot_id = ${wanted.id}, requested_collection_at = ${wanted.starts_at}, version = version + 1 where id = ${order.id}`);
    await appendLog(tx, {
      storeId: order.store_id,
      orderId: order.id,
      at,
      kind: 'slot_moved',
      title: 'The customer collects earlier',
      detail: `From ${bookedAt.slice(0, 16)}Z to ${wanted.starts_at.slice(0, 16)}Z.`,
    });
    await publish(tx, orderSlotMoved, {
      ...nextOf(order),
      data: { ...namesOf(order), from_slot_id: from, to_slot_id: wanted.id, requested_collection_at: wanted.starts_at },
    });
    return answer(wanted.used + 1);
  });
