import type { DeliveryOutcome } from './delivery-outcome.ts';
import { maxAttempts, retryDelaySeconds } from './retry-delay.ts';

/** The new state of a message after a replica has looked at it. A `pending` one is tried again at `dueAt`. */
export interface Settlement {
  readonly state: 'pending' | 'sent' | 'muted' | 'superseded' | 'failed';
  readonly reason: string | null;
  readonly attempts: number;
  readonly dueAt: Date;
}

/** A pending message, as far as its settlement depends on it. */
export interface Unsettled {
  /** Whether a newer event on its topic has been processed. */
  readonly superseded: boolean;
  readonly expiresAt: Date | null;
  readonly attempts: number;
  readonly dueAt: Date;
}

/** A delivery's outcome, or why there was no delivery: a preference is off, or the customer has no address. */
export type SendOutcome = DeliveryOutcome | { readonly status: 'muted'; readonly reason: 'unwanted' | 'unreachable' };

/** Settles a message that is out of date, without a delivery. Returns null for one that is still to be sent. */
export function settleOutOfDate({ superseded, expiresAt, attempts, dueAt }: Unsettled, now: Date): Settlement | null {
  if (superseded) return { state: 'superseded', reason: 'newer', attempts, dueAt };
  if (expiresAt && expiresAt <= now) return { state: 'superseded', reason: 'expired', attempts, dueAt };
  return null;
}

/** Settles a message after an attempt to send it. `random` (0 to 1) spreads retries. */
export function settleAttempt(message: Unsettled, outcome: SendOutcome, now: Date, random: number): Settlement {
  const { dueAt } = message;
  if (outcome.status === 'muted') return { state: 'muted', reason: outcome.reason, attempts: message.attempts, dueAt };
  const attempts = message.attempts + 1;
  if (outcome.status === 'delivered') return { state: 'sent', reason: null, attempts, dueAt };
  const { reason } = outcome;
  if (outcome.status !== 'deferred' || attempts >= maxAttempts) return { state: 'failed', reason, attempts, dueAt };
  const delayMs = retryDelaySeconds(attempts, outcome.retryAfterSeconds, random) * 1000;
  return { state: 'pending', reason, attempts, dueAt: new Date(now.getTime() + delayMs) };
}
