import { type EarlierStatus, Problem } from '@corner/contracts';
import { type Move, type OrderState, refused } from './transitions.ts';

export interface CorrectedOrder extends OrderState {
  readonly fully_refunded: boolean;
}

/** The previous status of each: fulfilment statuses of a collect order, business statuses of any other. */
const before: Readonly<Record<OrderState['order_type'], Readonly<Record<string, EarlierStatus>>>> = {
  collect: { preparing: 'accepted', ready: 'preparing', collected: 'ready' },
  buy_now: { ready: 'placed', collected: 'ready' },
};

/**
 * Decides a correction of an order, or of a leg of `main`; null when it has the status already. Throws INVALID_TRANSITION, which names the
 * status that it can go back to. A cancelled or fully refunded order cannot go back.
 */
export function correctionMove(order: CorrectedOrder, main: CorrectedOrder, to: EarlierStatus): Move | null {
  const { order_type, fulfilment_status } = order;
  const current = statusOf(order);
  if (current === to) return null;
  const isGone = main.business_status === 'cancelled' || main.fully_refunded || order.fully_refunded;
  const earlier = isGone ? undefined : before[order_type][fulfilment_status ?? ''];
  if (earlier !== to) throw refusedCorrection(current, to, isGone, earlier);
  if (to === 'placed') return { fulfilment: 'accepted', business: 'placed', correction: true };
  return { fulfilment: to, business: to === 'ready' ? 'ready' : 'placed', correction: true };
}

/** Callers see a collect order before its acceptance, and any other before it is ready, as placed. */
function statusOf({ order_type, fulfilment_status }: OrderState): string {
  if (order_type === 'buy_now' && fulfilment_status === 'accepted') return 'placed';
  return fulfilment_status ?? 'placed';
}

function refusedCorrection(current: string, to: string, isGone: boolean, earlier: string | undefined): Problem {
  if (!isGone) return refused('to_status', current, to, earlier ? [earlier] : ['nothing']);
  return new Problem('INVALID_TRANSITION', { message: `to_status: the order is cancelled or refunded in full, so it does not come back.` });
}
