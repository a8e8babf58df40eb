import type { Envelope } from '@corner/contracts';
import { type Paid, paidEvent, refundEvent, refundFailedEvent } from '../events.ts';

/** An order as its own service knows it: what it tells is numbered, and stays true in whatever order it arrives. */
export interface KnownOrder {
  readonly paid: Paid;
  /** Whether loyalty has heard, by question or event, that it was paid. */
  heard: boolean;
  /** What is refunded so far, and whether that is all of it. */
  refunded: number;
  full: boolean;
  sequence: number;
}

export const newOrder = (paid: Paid): KnownOrder => ({ paid, heard: false, refunded: 0, full: false, sequence: 2 });

export const paidOf = ({ paid }: KnownOrder): Envelope => paidEvent(paid, 2);

/** Refunds a share of it, in hundredths; null when all is refunded already, or there is nothing to refund. */
export function refundOf(order: KnownOrder, share: number): Envelope | null {
  if (order.full) return null;
  const total = order.paid.total_pence;
  const cumulative = share === 100 ? total : Math.min(total, order.refunded + Math.floor((total * share) / 100));
  if (cumulative === order.refunded && total > 0) return null;
  order.refunded = cumulative;
  order.full = cumulative === total;
  order.sequence += 1;
  return refundEvent(order.paid, order.sequence, cumulative);
}

/** All of its refunds come back; null when there are none. */
export function refundFailureOf(order: KnownOrder): Envelope | null {
  if (!order.full && order.refunded === 0) return null;
  const wasFull = order.full;
  order.refunded = 0;
  order.full = false;
  order.sequence += 1;
  return refundFailedEvent(order.paid, order.sequence, wasFull);
}
