import { type BusinessStatus, type FulfilmentStatus, Problem } from '@corner/contracts';

/** The state of an order, on both axes. */
export interface OrderState {
  readonly order_type: 'buy_now' | 'collect';
  readonly fulfilment_status: FulfilmentStatus | null;
  readonly business_status: BusinessStatus | null;
}

const collectMoves: Readonly<Record<FulfilmentStatus | 'none', readonly FulfilmentStatus[]>> = {
  none: ['accepted', 'cancelled'],
  accepted: ['preparing', 'cancelled'],
  preparing: ['ready', 'cancelled'],
  ready: ['collected', 'cancelled'],
  collected: [],
  cancelled: [],
};

/** How a move on one axis shows on the other: both describe the same order. */
const businessOf: Partial<Record<FulfilmentStatus, BusinessStatus>> = { ready: 'ready', collected: 'fulfilled', cancelled: 'cancelled' };
const fulfilmentOf: Readonly<Record<'ready' | 'fulfilled' | 'cancelled', FulfilmentStatus>> = {
  ready: 'ready',
  fulfilled: 'collected',
  cancelled: 'cancelled',
};

/** The state an order moves to. */
export interface Move {
  readonly fulfilment: FulfilmentStatus;
  readonly business: BusinessStatus;
  /** Whether it takes back a hand-over that was recorded by mistake. */
  readonly correction: boolean;
}

/** Decides a move of a collect order; null when it has the status already. Throws INVALID_TRANSITION, which lists what is allowed. */
export function fulfilmentMove({ fulfilment_status: from, business_status }: OrderState, to: FulfilmentStatus): Move | null {
  if (from === to) return null;
  const allowed = collectMoves[from ?? 'none'];
  if (!allowed.includes(to)) throw refused('to_status', from ?? 'not accepted yet', to, allowed);
  return { fulfilment: to, business: businessOf[to] ?? business_status ?? 'placed', correction: false };
}

const businessMoves: Readonly<Record<BusinessStatus, readonly BusinessStatus[]>> = {
  placed: ['ready', 'fulfilled', 'cancelled'],
  ready: ['fulfilled', 'cancelled'],
  fulfilled: ['ready'],
  cancelled: [],
};

/**
 * Decides a move of the business status; null when the order has it already. A collect order can only make the moves that its fulfilment
 * status allows. Throws INVALID_TRANSITION; NOTE_REQUIRED for taking back a hand-over, which only an owner or manager may do.
 */
export function businessMove(
  order: OrderState,
  to: 'ready' | 'fulfilled' | 'cancelled',
  by: { note: boolean; manages: boolean },
): Move | null {
  const from = order.business_status ?? 'placed';
  const handedOver = order.fulfilment_status === 'collected';
  if (from === to || (to === 'fulfilled' && handedOver)) return null;
  if (order.order_type === 'collect') {
    const allowed = collectMoves[order.fulfilment_status ?? 'none']
      .map((status) => businessOf[status])
      .filter((status) => status !== undefined);
    if (!allowed.includes(to)) throw refused('status', order.fulfilment_status ?? 'not accepted yet', to, allowed);
    return { fulfilment: fulfilmentOf[to], business: to, correction: false };
  }
  // A mixed order's own part can be handed over before its legs end the order.
  const allowed = businessMoves[from].filter((status) => !handedOver || (status === 'ready' ? by.manages : status !== 'fulfilled'));
  if (!allowed.includes(to)) throw refused('status', handedOver ? 'handed over' : from, to, allowed);
  const correction = handedOver && to === 'ready';
  if (correction && !by.note) throw new Problem('NOTE_REQUIRED');
  return { fulfilment: fulfilmentOf[to], business: to, correction };
}

function refused(field: string, from: string, to: string, allowed: readonly string[]): Problem {
  const options = allowed.length === 0 ? 'nothing: it has ended' : allowed.join(', ');
  return new Problem('INVALID_TRANSITION', { message: `${field}: the order is ${from} and cannot become ${to}; allowed: ${options}.` });
}
