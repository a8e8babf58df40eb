import { Problem } from '@corner/contracts';

/** When an order is expected to be ready. Instants are ISO 8601. */
export interface Expected {
  readonly revised_ready_at: string | null;
  readonly requested_collection_at: string | null;
  readonly paid_at: string | null;
  readonly prep_minutes: number;
}

/** The delay staff enter: minutes more, or a time, which takes precedence. */
export interface Delay {
  readonly delayMinutes?: number | undefined;
  readonly newReadyAt?: string | undefined;
}

/** A customer is notified of a delay at most once in this many seconds. A later notice is sent when they have passed. */
export const noticeWindowSeconds = 60;

/** The most hours by which one notice can delay an order. */
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

/** The last notice of an order; nulls when there was none. */
export interface LastNotice {
  readonly request: string | null;
  /** When the customer was last notified, ISO 8601. */
  readonly notified_at: string | null;
  /** Whether a notice still has to be sent. */
  readonly pending: boolean;
}

/**
 * Decides what to do with a delay notice: 'ignore' a repeat of the last one, 'defer' it when the customer was notified within the
 * window, or 'send' it now.
 */
export function noticeAction(last: LastNotice, request: string, now: Date): 'ignore' | 'defer' | 'send' {
  const isRecent = last.notified_at !== null && now.getTime() < Date.parse(last.notified_at) + noticeWindowSeconds * 1000;
  // A pending notice may be sent a little after its window: until then a repeat of it is still a repeat.
  if ((isRecent || last.pending) && request === last.request) return 'ignore';
  return isRecent ? 'defer' : 'send';
}

/** Throws ORDER_TERMINAL for an order that has ended, ORDER_NOT_PAID for one that is not paid. */
export function checkCanBeLate({ payment_status, business_status }: { payment_status: string; business_status: string | null }): void {
  if (business_status === 'fulfilled' || business_status === 'cancelled' || payment_status === 'expired') {
    throw new Problem('ORDER_TERMINAL');
  }
  if (payment_status !== 'paid') throw new Problem('ORDER_NOT_PAID');
}
