import type { Envelope } from '@corner/contracts';
import { disputedEvent, type Paid, paidEvent, refundEvent, refundFailedEvent } from '../events.ts';

interface Refunded {
  readonly sequence: number;
  readonly pence: number;
  readonly full: boolean;
}

/**
 * An order in the orders service, and its state in loyalty, whose events may be late and out of order. `reported`: loyalty has received, by
 * RPC or event, that it was paid. `published`, `publishedDisputes`: the newest states that were published.
 */
export interface KnownOrder {
  readonly paid: Paid;
  reported: boolean;
  sequence: number;
  now: Refunded;
  published: Refunded;
  readonly disputes: Map<string, Disputed>;
  readonly publishedDisputes: Map<string, Disputed>;
}

interface Disputed {
  readonly sequence: number;
  readonly state: DisputeState;
  readonly pence: number;
}

export type DisputeState = 'opened' | 'won' | 'lost';

/** An event of an order, and the step to run once it is published. */
export interface EventToPublish {
  readonly envelope: Envelope;
  readonly then: () => void;
}

const nothing: Refunded = { sequence: 2, pence: 0, full: false };

export const newOrder = (paid: Paid): KnownOrder => ({
  paid,
  reported: false,
  sequence: 2,
  now: nothing,
  published: nothing,
  disputes: new Map(),
  publishedDisputes: new Map(),
});

/** The published state of the order's money: the pence that remain, and whether its stamps are to be taken back: a tenth is little. */
export function publishedStanding({ paid, published, publishedDisputes }: KnownOrder): { readonly spent: number; readonly gone: boolean } {
  const lost = [...publishedDisputes.values()].filter(({ state }) => state === 'lost');
  const gone = lost.reduce((sum, { pence }) => sum + pence, published.pence);
  const left = paid.total_pence - published.pence;
  const isLittle = left > 0 && 10 * left < paid.total_pence;
  return { spent: Math.max(0, paid.total_pence - gone), gone: published.full || lost.length > 0 || isLittle };
}

export const paidOf = ({ paid }: KnownOrder): Envelope => paidEvent(paid, 2);

export function refundOf(order: KnownOrder, share: number): EventToPublish | null {
  const { total_pence: total } = order.paid;
  const { pence, full } = order.now;
  const next = share === 100 ? total : Math.min(total, pence + Math.floor((total * share) / 100));
  if (full || (next === pence && total > 0)) return null;
  const sequence = nextSequence(order);
  return changed(order, { sequence, pence: next, full: next === total }, refundEvent(order.paid, sequence, next));
}

export function refundFailureOf(order: KnownOrder): EventToPublish | null {
  const { pence, full } = order.now;
  if (!full && pence === 0) return null;
  const sequence = nextSequence(order);
  return changed(order, { sequence, pence: 0, full: false }, refundFailedEvent(order.paid, sequence, full));
}

export function disputeOf(order: KnownOrder, id: string, state: DisputeState, share: number): EventToPublish | null {
  if (order.disputes.get(id)?.state === state) return null;
  const pence = Math.floor((order.paid.total_pence * share) / 100);
  const dispute = { sequence: nextSequence(order), state, pence };
  order.disputes.set(id, dispute);
  const then = () => {
    if (dispute.sequence > (order.publishedDisputes.get(id)?.sequence ?? 0)) order.publishedDisputes.set(id, dispute);
  };
  return { envelope: disputedEvent(order.paid, dispute.sequence, state, { dispute_id: id, amount_pence: pence }), then };
}

function nextSequence(order: KnownOrder): number {
  order.sequence += 1;
  return order.sequence;
}

function changed(order: KnownOrder, refunded: Refunded, envelope: Envelope): EventToPublish {
  order.now = refunded;
  const then = () => {
    if (refunded.sequence > order.published.sequence) order.published = refunded;
  };
  return { envelope, then };
}
