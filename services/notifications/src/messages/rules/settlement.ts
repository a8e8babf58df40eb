/**
 * How a delivery ended. A `reason` names statuses and codes, never an address or a text.
 * - `delivered`: the provider took the message.
 * - `gone`: the address no longer exists.
 * - `rejected`: the provider will never take this message.
 * - `deferred`: another attempt may succeed, not before `retryAfterSeconds` have passed.
 */
export type DeliveryOutcome =
  | { readonly status: 'delivered' }
  | { readonly status: 'gone'; readonly reason: string }
  | { readonly status: 'rejected'; readonly reason: string }
  | { readonly status: 'deferred'; readonly reason: string; readonly retryAfterSeconds: number };

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

/** Attempts before a message fails. The last one is some eleven hours after the first. */
export const maxAttempts = 10;

/**
 * Seconds to wait after the n-th attempt failed: 10, then three times as long each time, 4 hours at most. A random share of up to half of
 * it is taken off (`random`, 0 to 1), so that not all messages return at once. The provider's own `Retry-After` is the minimum.
 */
export function retryDelaySeconds(attempts: number, retryAfterSeconds: number, random: number): number {
  const delay = Math.min(firstDelaySeconds * 3 ** (attempts - 1), longestDelaySeconds);
  return Math.max(delay * (1 - random / 2), Math.min(retryAfterSeconds, longestDelaySeconds));
}

const firstDelaySeconds = 10;
const longestDelaySeconds = 4 * 3600;
