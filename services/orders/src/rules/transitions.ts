import { type BusinessStatus, type FulfilmentStatus, Problem } from '@corner/contracts';

/** Where an order stands, on both axes. */
export interface Standing {
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

/** The same event on the other axis: an order has one state, seen twice. */
const businessOf: Partial<Record<FulfilmentStatus, BusinessStatus>> = { ready: 'ready', collected: 'fulfilled', cancelled: 'cancelled' };
const fulfilmentOf: Readonly<Record<'ready' | 'fulfilled' | 'cancelled', FulfilmentStatus>> = {
  ready: 'ready',
  fulfilled: 'collected',
  cancelled: 'cancelled',
};

/** What a move makes of an order. */
export interface Move {
  readonly fulfilment: FulfilmentStatus;
  readonly business: BusinessStatus;
  /** Undoes a step that was noted by mistake. */
  readonly correction: boolean;
}

/** A move of a collect order along its chain; null when it is there already. Throws INVALID_TRANSITION, which lists what is allowed. */
export function fulfilmentMove({ fulfilment_status: from, business_status }: Standing, to: FulfilmentStatus): Move | null {
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
 * A move of the business status; null when it is there already. A collect order moves along its own chain and no other way. Throws
 * INVALID_TRANSITION; NOTE_REQUIRED for taking back that an order was handed over, which only an owner or manager may.
 */
export function businessMove(
  order: Standing,
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
  // The own part of a mixed order can be handed over before the order ends with its legs.
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
