import { type BusinessStatus, type FulfilmentStatus, Problem } from '@corner/contracts';

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

/** The business status that a fulfilment status implies: both describe the same order. */
const businessOf: Partial<Record<FulfilmentStatus, BusinessStatus>> = { ready: 'ready', collected: 'fulfilled', cancelled: 'cancelled' };
const fulfilmentOf: Readonly<Record<'ready' | 'fulfilled' | 'cancelled', FulfilmentStatus>> = {
  ready: 'ready',
  fulfilled: 'collected',
  cancelled: 'cancelled',
};

/** The state an order moves to. A correction takes back a status that was set by mistake; an uncollected move ends a ready order. */
export interface Move {
  readonly fulfilment: FulfilmentStatus;
  readonly business: BusinessStatus;
  readonly correction: boolean;
  readonly uncollected?: true;
}

/** Ends a ready order that was not collected. It stays ready, so it can still be handed over. */
export const uncollectedMove: Move = { fulfilment: 'ready', business: 'fulfilled', correction: false, uncollected: true };

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
  const handedOver = order.fulfilment_status === 'collected';
  const isUncollected = order.business_status === 'fulfilled' && !handedOver;
  const from = isUncollected ? 'ready' : (order.business_status ?? 'placed');
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

export function refused(field: string, from: string, to: string, allowed: readonly string[]): Problem {
  const options = allowed.length === 0 ? 'nothing: it has ended' : allowed.join(', ');
  return new Problem('INVALID_TRANSITION', { message: `${field}: the order is ${from} and cannot become ${to}; allowed: ${options}.` });
}

export interface MovedOrder extends OrderState {
  readonly id: string;
  readonly lines: readonly unknown[];
}

export interface MovedFamily<O extends MovedOrder> {
  readonly named: O;
  readonly main: O;
  readonly legs: readonly O[];
}

export interface Step<O extends MovedOrder> {
  readonly order: O;
  readonly move: Move;
}

/**
 * Returns the requested move and those that follow from it, main order first. Cancelling an order cancels its open legs. The last leg to
 * end ends the main order, unless its own goods are still to be handed over; reopening a leg reopens it.
 */
export function followMove<O extends MovedOrder>({ named, main, legs }: MovedFamily<O>, move: Move): Step<O>[] {
  const openLegs = legs.filter(isOpen);
  if (named === main) return followMainMove(main, openLegs, move);
  const step = { order: named, move };
  if (move.correction && main.business_status === 'fulfilled') return [{ order: main, move: reopened(main) }, step];
  const legEnds = move.business !== named.business_status && !isOpen({ business_status: move.business });
  const isLast = legEnds && openLegs.every((leg) => leg === named);
  if (!isLast || !isOpen(main)) return [step];
  if (main.lines.length > 0 && main.fulfilment_status !== 'collected') return [step];
  const anyCollected = move.fulfilment === 'collected' || legs.some((leg) => leg !== named && leg.fulfilment_status === 'collected');
  if (anyCollected || main.lines.length > 0) return [{ order: main, move: fulfilled }, step];
  const anyUncollected = move.uncollected || legs.some((leg) => leg !== named && leg.business_status === 'fulfilled');
  return [{ order: main, move: anyUncollected ? uncollectedMove : cancelled }, step];
}

const fulfilled: Move = { fulfilment: 'collected', business: 'fulfilled', correction: false };
const cancelled: Move = { fulfilment: 'cancelled', business: 'cancelled', correction: false };

/** Goods of the order's own part that were handed over stay so. */
const reopened = ({ lines }: MovedOrder): Move => ({
  fulfilment: lines.length > 0 ? 'collected' : 'accepted',
  business: 'placed',
  correction: true,
});

function followMainMove<O extends MovedOrder>(main: O, openLegs: readonly O[], move: Move): Step<O>[] {
  if (move.fulfilment === 'cancelled') return [main, ...openLegs].map((order) => ({ order, move }));
  // The order's own part is handed over; the order itself ends with its last leg.
  if (move.business === 'fulfilled' && openLegs.length > 0) {
    return [{ order: main, move: { ...move, business: main.business_status ?? 'placed' } }];
  }
  return [{ order: main, move }];
}

const isOpen = ({ business_status }: Pick<MovedOrder, 'business_status'>): boolean =>
  business_status === 'placed' || business_status === 'ready';
