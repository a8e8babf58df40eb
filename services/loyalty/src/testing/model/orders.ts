import type { Envelope } from '@corner/contracts';
import { type Paid, paidEvent, refundEvent, refundFailedEvent } from '../events.ts';

/** What is refunded of an order after a change of that number, and whether it is all. */
interface Refunded {
  readonly sequence: number;
  readonly pence: number;
  readonly full: boolean;
}

/** An order as its own service knows it, and as loyalty has heard of it: what is told may be late and out of order. */
export interface KnownOrder {
  readonly paid: Paid;
  /** Whether loyalty has heard, by question or event, that it was paid. */
  heard: boolean;
  now: Refunded;
  /** The newest that loyalty has been told of. */
  told: Refunded;
}

/** Something to tell of an order, and what loyalty knows of its refunds from then on. */
export interface EventToPublish {
  readonly envelope: Envelope;
  readonly then: () => void;
}

const nothing: Refunded = { sequence: 2, pence: 0, full: false };

export const newOrder = (paid: Paid): KnownOrder => ({ paid, heard: false, now: nothing, told: nothing });

export const paidOf = ({ paid }: KnownOrder): Envelope => paidEvent(paid, 2);

/** Refunds a share of it, in hundredths; null when all is refunded already. */
export function refundOf(order: KnownOrder, share: number): EventToPublish | null {
  const { total_pence: total } = order.paid;
  const { sequence, pence, full } = order.now;
  const next = share === 100 ? total : Math.min(total, pence + Math.floor((total * share) / 100));
  if (full || (next === pence && total > 0)) return null;
  return changed(order, { sequence: sequence + 1, pence: next, full: next === total }, refundEvent(order.paid, sequence + 1, next));
}

/** All of its refunds come back; null when there are none. */
export function refundFailureOf(order: KnownOrder): EventToPublish | null {
  const { sequence, pence, full } = order.now;
  if (!full && pence === 0) return null;
  return changed(order, { sequence: sequence + 1, pence: 0, full: false }, refundFailedEvent(order.paid, sequence + 1, full));
}

function changed(order: KnownOrder, refunded: Refunded, envelope: Envelope): EventToPublish {
  order.now = refunded;
  const then = () => {
    if (refunded.sequence > order.told.sequence) order.told = refunded;
  };
  return { envelope, then };
}
