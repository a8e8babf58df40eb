import type { Envelope } from '@corner/contracts';
import { type Paid, paidEvent, refundEvent, refundFailedEvent } from '../events.ts';

/** What is refunded of an order after the change with that sequence, and whether it is everything. */
interface Refunded {
  readonly sequence: number;
  readonly pence: number;
  readonly full: boolean;
}

/** An order as the orders service knows it, and as loyalty knows it from events that may be late and out of order. */
export interface KnownOrder {
  readonly paid: Paid;
  /** Whether loyalty has received, by RPC or event, that it was paid. */
  reported: boolean;
  now: Refunded;
  /** The newest refunds that were published. */
  published: Refunded;
}

/** An event of an order, and what follows once it is published. */
export interface EventToPublish {
  readonly envelope: Envelope;
  readonly then: () => void;
}

const nothing: Refunded = { sequence: 2, pence: 0, full: false };

export const newOrder = (paid: Paid): KnownOrder => ({ paid, reported: false, now: nothing, published: nothing });

export const paidOf = ({ paid }: KnownOrder): Envelope => paidEvent(paid, 2);

/** Refunds a percentage of the order. Returns null when everything is refunded already. */
export function refundOf(order: KnownOrder, share: number): EventToPublish | null {
  const { total_pence: total } = order.paid;
  const { sequence, pence, full } = order.now;
  const next = share === 100 ? total : Math.min(total, pence + Math.floor((total * share) / 100));
  if (full || (next === pence && total > 0)) return null;
  return changed(order, { sequence: sequence + 1, pence: next, full: next === total }, refundEvent(order.paid, sequence + 1, next));
}

/** Fails all of the order's refunds. Returns null when there are none. */
export function refundFailureOf(order: KnownOrder): EventToPublish | null {
  const { sequence, pence, full } = order.now;
  if (!full && pence === 0) return null;
  return changed(order, { sequence: sequence + 1, pence: 0, full: false }, refundFailedEvent(order.paid, sequence + 1, full));
}

function changed(order: KnownOrder, refunded: Refunded, envelope: Envelope): EventToPublish {
  order.now = refunded;
  const then = () => {
    if (refunded.sequence > order.published.sequence) order.published = refunded;
  };
  return { envelope, then };
}
