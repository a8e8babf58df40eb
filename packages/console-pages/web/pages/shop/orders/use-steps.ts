import { useState } from 'react';
import { announce, type Undo } from '../../../shell/announce.tsx';
import { correctOrder, type Order, readOrder, setFulfilment, setStatus } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';
import { actionsOf, type Step } from './order-actions.ts';
import type { Changes } from './use-orders.ts';

async function takeStep(store: string, { id }: Order, step: Step): Promise<Order> {
  if (step.kind === 'fulfilment') {
    if (step.via) await setFulfilment(store, id, step.via);
    return await setFulfilment(store, id, step.to);
  }
  await setStatus(store, id, step.to);
  return await readOrder(store, id);
}

const isHandedOver = ({ to }: Step): boolean => to === 'collected' || to === 'fulfilled';

/**
 * One step at a time for each order. A hand-over can be undone for ten seconds by those who may correct a status. When the service refuses
 * a step, for example because another person moved the order, the notice says so and the order is read again.
 */
export function useSteps(store: { readonly id: string; readonly role: string }, changes: Changes) {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [notice, setNotice] = useState<string | null>(null);
  const mark = (id: string, isBusy: boolean) =>
    setBusy((before) => {
      const after = new Set(before);
      if (isBusy) after.add(id);
      else after.delete(id);
      return after;
    });

  const undoOf = (order: Order): Undo | undefined => {
    const { correctTo } = actionsOf(order, store.role);
    if (correctTo === null) return undefined;
    return async () => {
      await changes.through(order.id, () => correctOrder(store.id, order.id, correctTo, { note: 'Undone at once: pressed by mistake.' }));
      return `Order ${order.order_number} is ready again.`;
    };
  };
  const run = async (order: Order, step: Step): Promise<void> => {
    mark(order.id, true);
    setNotice(null);
    try {
      const after = await changes.through(order.id, () => takeStep(store.id, order, step));
      if (isHandedOver(step)) announce(`Order ${order.order_number} is handed over.`, undoOf(after));
    } catch (error) {
      setNotice(refusalText(error, `Order ${order.order_number}`));
      changes.changed(order.id);
    } finally {
      mark(order.id, false);
    }
  };
  return { busy, notice, take: (order: Order, step: Step) => void (busy.has(order.id) || run(order, step)) };
}
