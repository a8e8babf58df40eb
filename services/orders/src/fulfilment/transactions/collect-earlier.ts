import { publish, type Transaction } from '@corner/chassis';
import { orderSlotMoved, Problem } from '@corner/contracts';
import { nextVersionOf, orderFields } from '../../order/rules/order-event.ts';
import { appendLog } from '../../order/tables/log.ts';
import { lockFamily } from '../../order/tables/order-family.ts';
import { bookedSlotId, checkEarlierSlot, findClosing, lockSlots, moveToSlot, type SlotRow } from '../../shop/index.ts';

export interface EarlierCollection {
  readonly storeId: string;
  readonly orderId: string;
  readonly customerId: string;
  readonly slotId: string;
}

/**
 * Moves a customer's ready order to an earlier slot, and returns that slot with the order in it. The slot it has already changes nothing.
 * Lock order: the order's family, then both slots by id. Throws ORDER_NOT_FOUND, ORDER_NOT_READY, ORDER_HAS_NO_SLOT, SLOT_NOT_FOUND,
 * NOT_EARLIER, SLOT_CLOSED and SLOT_JUST_FILLED. Publishes order.slot_moved.
 */
export async function collectEarlier(tx: Transaction, { storeId, orderId, customerId, slotId }: EarlierCollection): Promise<SlotRow> {
  const order = (await lockFamily(tx, storeId, orderId))?.named;
  if (!order || order.customer_id !== customerId) throw new Problem('ORDER_NOT_FOUND');
  const from = bookedSlotId(order);
  const slots = await lockSlots(tx, storeId, [from, slotId]);
  const to = slots.find(({ id }) => id === slotId);
  if (!to) throw new Problem('SLOT_NOT_FOUND');
  if (to.id === from) return to;
  const bookedAt = slots.find(({ id }) => id === from)?.starts_at ?? order.requested_collection_at ?? '';
  checkEarlierSlot(to, bookedAt, await findClosing(tx, storeId), tx.now);
  await moveToSlot(tx, { storeId, orderId, from, to });
  await appendLog(tx, {
    storeId,
    orderId,
    kind: 'slot_moved',
    title: 'The customer collects earlier',
    detail: `From ${bookedAt.slice(0, 16)}Z to ${to.starts_at.slice(0, 16)}Z.`,
  });
  await publish(tx, orderSlotMoved, {
    ...nextVersionOf(order),
    data: { ...orderFields(order), from_slot_id: from, to_slot_id: to.id, requested_collection_at: to.starts_at },
  });
  return { ...to, used: to.used + 1 };
}
