import { customer, worker } from './callers.ts';
import type { OpenStore, Running } from './running.ts';
import type { slotIn } from './whole-store.ts';

export type Slot = ReturnType<typeof slotIn>;

/** Requests an earlier slot as the customer. */
export const earlier = (by: ReturnType<typeof customer>, store: OpenStore, orderId: string, slotId: string) =>
  by.call('POST', '/api/v1/orders/collect-earlier', { store_id: store.id, order_id: orderId, slot_id: slotId });

/** Creates a ready order in a slot, with its customer. */
export async function waitingFor(running: Running, store: OpenStore, slot: Slot) {
  const by = customer(running);
  const order = await by.paid(store, { slot_id: slot.id });
  const staff = worker(running, store);
  for (const step of ['preparing', 'ready']) await staff.advance(order.order_id, step);
  return { by, id: order.order_id as string };
}
