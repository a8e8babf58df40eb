import type { Operation } from '@corner/chassis';
import type { orders } from '@corner/contracts';
import type { Context } from '../context.ts';
import { orderView } from '../rules/order-view.ts';
import { advanceFulfilment as advance } from '../transactions/advance-fulfilment.ts';
import { collectEarlier as moveToEarlierSlot } from '../transactions/collect-earlier.ts';

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
