import { useState } from 'react';
import { type Order, readOrder, setFulfilment, setStatus } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';
import type { Step } from './order-actions.ts';
import type { Changes } from './use-orders.ts';

/** Sends a step of an order and returns its new state. */
async function takeStep(store: string, { id }: Order, step: Step): Promise<Order> {
  if (step.kind === 'fulfilment') return await setFulfilment(store, id, step.to);
  await setStatus(store, id, step.to);
  return await readOrder(store, id);
}

/**
 * Takes steps of orders, one at a time for each order. When the service refuses one, for example because another person moved the order, the
 * notice says so and the order is read again.
 */
export function useSteps(store: string, changes: Changes) {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [notice, setNotice] = useState<string | null>(null);
  const mark = (id: string, isBusy: boolean) =>
    setBusy((before) => {
      const after = new Set(before);
      if (isBusy) after.add(id);
      else after.delete(id);
      return after;
    });

  const run = async (order: Order, step: Step): Promise<void> => {
    mark(order.id, true);
    setNotice(null);
    try {
      await changes.through(order.id, () => takeStep(store, order, step));
    } catch (error) {
      setNotice(refusalText(error, `Order ${order.order_number}`));
      changes.changed(order.id);
    } finally {
      mark(order.id, false);
    }
  };
  return { busy, notice, take: (order: Order, step: Step) => void (busy.has(order.id) || run(order, step)) };
}
