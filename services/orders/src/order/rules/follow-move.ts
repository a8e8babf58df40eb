import type { Move, OrderState } from './transitions.ts';

export interface MovedOrder extends OrderState {
  readonly id: string;
  readonly lines: readonly unknown[];
}

/** An order with its legs; `named` is the one the move is for: `main` or one of `legs`. */
export interface MovedFamily<O extends MovedOrder> {
  readonly named: O;
  readonly main: O;
  readonly legs: readonly O[];
}

/** One order of a family and its move. */
export interface Step<O extends MovedOrder> {
  readonly order: O;
  readonly move: Move;
}

/**
 * The requested move and those that follow from it, main order first. Cancelling an order cancels its open legs. The last leg to end
 * ends the main order, unless goods of its own are still to be handed over.
 */
export function followMove<O extends MovedOrder>({ named, main, legs }: MovedFamily<O>, move: Move): Step<O>[] {
  const openLegs = legs.filter(isOpen);
  if (named === main) return followMainMove(main, openLegs, move);
  const step = { order: named, move };
  const legEnds = move.business !== named.business_status && !isOpen({ business_status: move.business });
  const isLast = legEnds && openLegs.every((leg) => leg === named);
  if (!isLast || !isOpen(main)) return [step];
  if (main.lines.length > 0 && main.fulfilment_status !== 'collected') return [step];
  const anyCollected = move.fulfilment === 'collected' || legs.some((leg) => leg !== named && leg.fulfilment_status === 'collected');
  return [{ order: main, move: anyCollected || main.lines.length > 0 ? fulfilled : cancelled }, step];
}

const fulfilled: Move = { fulfilment: 'collected', business: 'fulfilled', correction: false };
const cancelled: Move = { fulfilment: 'cancelled', business: 'cancelled', correction: false };

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
