import { type BusinessStatus, type Canceller, type FulfilmentStatus, Problem } from '@corner/contracts';
import type { Move } from '../order/rules/transitions.ts';

export interface MovedOrder {
  readonly version: number;
  readonly fulfilment_status: FulfilmentStatus | null;
  readonly business_status: BusinessStatus | null;
  readonly accepted_at: string | null;
  readonly preparing_at: string | null;
  readonly ready_at: string | null;
  readonly collected_at: string | null;
  readonly fulfilled_at: string | null;
  readonly cancelled_at: string | null;
  readonly cancelled_by: Canceller | null;
  readonly uncollected_at: string | null;
}

/**
 * Returns the state and times of an order after a move. A time is set when its state is first reached; a correction clears the times of the
 * states that it takes back.
 */
export function afterMove(
  order: MovedOrder,
  { fulfilment, business, correction, uncollected }: Move,
  now: Date,
  canceller: Canceller = 'store',
): MovedOrder {
  const at = now.toISOString();
  const timeOf = (status: keyof typeof place, known: string | null): string | null => {
    if (fulfilment === status) return known ?? at;
    return correction && place[status] > place[fulfilment] ? null : known;
  };
  return {
    version: order.version + 1,
    fulfilment_status: fulfilment,
    business_status: business,
    accepted_at: timeOf('accepted', order.accepted_at),
    preparing_at: timeOf('preparing', order.preparing_at),
    ready_at: timeOf('ready', order.ready_at),
    collected_at: timeOf('collected', order.collected_at),
    fulfilled_at: correction ? null : business === 'fulfilled' && !uncollected ? at : order.fulfilled_at,
    cancelled_at: business === 'cancelled' ? at : order.cancelled_at,
    cancelled_by: business === 'cancelled' ? canceller : order.cancelled_by,
    uncollected_at: uncollected ? at : null,
  };
}

const place: Readonly<Record<FulfilmentStatus, number>> = { accepted: 1, preparing: 2, ready: 3, collected: 4, cancelled: 5 };

interface WaitingOrder extends Pick<MovedOrder, 'business_status' | 'fulfilment_status' | 'ready_at'> {
  readonly order_type: 'buy_now' | 'collect';
  readonly paid_at: string | null;
  readonly requested_collection_at: string | null;
  readonly revised_ready_at: string | null;
}

/** What an order waits for, and since when, in epoch milliseconds; not before the booked time. Null while it waits for nothing. */
export type Waiting = { readonly for: 'acceptance' | 'collection'; readonly since: number } | null;

export function waitingOf(order: WaitingOrder): Waiting {
  const { order_type, business_status, fulfilment_status, paid_at, ready_at } = order;
  if (business_status === 'placed' && order_type === 'collect' && fulfilment_status === null) {
    return { for: 'acceptance', since: Date.parse(paid_at ?? '') };
  }
  if (business_status !== 'ready') return null;
  const times = [ready_at, order.requested_collection_at, order.revised_ready_at].filter((time) => time !== null);
  return { for: 'collection', since: Math.max(...times.map((time) => Date.parse(time))) };
}

type Openings = readonly { readonly starts_at: string; readonly ends_at: string }[];

/** Returns the end of a store's `minutes` for an order, counted from its payment, or from the next opening after it. */
export function acceptBy(since: number, openings: Openings, minutes: number): Date {
  const open = openings.find(({ ends_at }) => Date.parse(ends_at) > since);
  return new Date(Math.max(since, Date.parse(open?.starts_at ?? new Date(since).toISOString())) + minutes * minuteMs);
}

/** Returns when a store has been closed for `hours` without interruption; a shorter break does not count. */
export function closedFor(since: number, openings: Openings, hours: number): Date {
  const lengthMs = hours * hourMs;
  const closedFrom = openings.reduce((closes, { starts_at, ends_at }) => {
    return Date.parse(starts_at) < closes + lengthMs ? Math.max(closes, Date.parse(ends_at)) : closes;
  }, since);
  return new Date(closedFrom + lengthMs);
}

/** Returns when to check again an order that waits for nothing yet: the interval grows with its age. */
export function nextLook(paidAt: string | null, now: Date): Date {
  const openMs = now.getTime() - Date.parse(paidAt ?? now.toISOString());
  return new Date(now.getTime() + Math.max(hourMs, openMs / 2));
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export interface Expected {
  readonly revised_ready_at: string | null;
  readonly requested_collection_at: string | null;
  readonly paid_at: string | null;
  readonly prep_minutes: number;
}

export interface Delay {
  readonly delayMinutes?: number | undefined;
  readonly newReadyAt?: string | undefined;
}

/** A customer is notified of a delay at most once in this many seconds. A later notice is sent when they have passed. */
export const noticeWindowSeconds = 60;

const mostHours = 24;

/** Returns the new expected time. Throws INVALID_ETA, naming the field. An expected time in the past counts as now. */
export function revisedEta(order: Expected, { delayMinutes, newReadyAt }: Delay, now: Date): Date {
  const current = Math.max(now.getTime(), expectedAt(order) ?? 0);
  if (newReadyAt !== undefined) {
    const wanted = Date.parse(newReadyAt);
    if (wanted <= now.getTime()) throw new Problem('INVALID_ETA', { message: 'newReadyAt: must be in the future.' });
    if (wanted > current + mostHours * 3_600_000) {
      throw new Problem('INVALID_ETA', { message: `newReadyAt: must be within ${mostHours} hours of the time expected now.` });
    }
    return new Date(wanted);
  }
  if (delayMinutes === undefined) throw new Problem('INVALID_ETA', { message: 'delayMinutes: is required, or newReadyAt.' });
  return new Date(current + delayMinutes * 60_000);
}

function expectedAt({ revised_ready_at, requested_collection_at, paid_at, prep_minutes }: Expected): number | null {
  const named = revised_ready_at ?? requested_collection_at;
  if (named) return Date.parse(named);
  return paid_at ? Date.parse(paid_at) + prep_minutes * 60_000 : null;
}

/** The last notice of an order; nulls when there was none. Instants are ISO 8601. A pending notice still has to be sent. */
export interface LastNotice {
  readonly request: string | null;
  readonly notified_at: string | null;
  readonly pending: boolean;
}

/**
 * Decides about a delay notice: 'ignore' a repeat of the last one, 'defer' it when the customer was notified within the window, or 'send'
 * it now.
 */
export function noticeAction(last: LastNotice, request: string, now: Date): 'ignore' | 'defer' | 'send' {
  const isRecent = last.notified_at !== null && now.getTime() < Date.parse(last.notified_at) + noticeWindowSeconds * 1000;
  // A pending notice may be sent a little after its window: until then a repeat of it is still a repeat.
  if ((isRecent || last.pending) && request === last.request) return 'ignore';
  return isRecent ? 'defer' : 'send';
}

export function checkCanBeLate({ payment_status, business_status }: { payment_status: string; business_status: string | null }): void {
  if (business_status === 'fulfilled' || business_status === 'cancelled' || payment_status === 'expired') {
    throw new Problem('ORDER_TERMINAL');
  }
  if (payment_status !== 'paid') throw new Problem('ORDER_NOT_PAID');
}
