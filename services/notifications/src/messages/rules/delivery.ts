import type { Withheld } from './mail-limits.ts';

/**
 * `gone`: no such address; `rejected`: never to be taken; `deferred`: perhaps later, also when the provider refused a key or an account,
 * which the operator can correct. A `reason` names statuses and codes, never an address or a text.
 */
export type DeliveryOutcome =
  | { readonly status: 'delivered' }
  | { readonly status: 'gone'; readonly reason: string }
  | { readonly status: 'rejected'; readonly reason: string }
  | { readonly status: 'deferred'; readonly reason: string; readonly retryAfterSeconds: number };

export interface AttemptResult {
  readonly state: 'pending' | 'sent' | 'muted' | 'superseded' | 'failed';
  readonly reason: string | null;
  readonly attempts: number;
  readonly dueAt: Date;
}

export interface Attempt {
  readonly superseded: boolean;
  readonly expiresAt: Date | null;
  readonly attempts: number;
  readonly dueAt: Date;
}

export type SendOutcome = DeliveryOutcome | { readonly status: 'muted'; readonly reason: 'unwanted' | 'unreachable' | Withheld };

/** Null for a message that is still to be sent. */
export function resultIfOutOfDate({ superseded, expiresAt, attempts, dueAt }: Attempt, now: Date): AttemptResult | null {
  if (superseded) return { state: 'superseded', reason: 'newer', attempts, dueAt };
  if (expiresAt && expiresAt <= now) return { state: 'superseded', reason: 'expired', attempts, dueAt };
  return null;
}

export function resultOfAttempt(message: Attempt, outcome: SendOutcome, now: Date, random: number): AttemptResult {
  const { dueAt } = message;
  if (outcome.status === 'muted') return { state: 'muted', reason: outcome.reason, attempts: message.attempts, dueAt };
  const attempts = message.attempts + 1;
  if (outcome.status === 'delivered') return { state: 'sent', reason: null, attempts, dueAt };
  const { reason } = outcome;
  if (outcome.status !== 'deferred' || attempts >= maxAttempts) return { state: 'failed', reason, attempts, dueAt };
  const delayMs = retryDelaySeconds(attempts, outcome.retryAfterSeconds, random) * 1000;
  return { state: 'pending', reason, attempts, dueAt: new Date(now.getTime() + delayMs) };
}

/** The last attempt is some eleven hours after the first. */
export const maxAttempts = 10;

/**
 * Seconds after the n-th failed attempt: 10, tripling up to 4 hours, less a random share (`random` is 0 to 1) of up to half, so that
 * retries spread. The provider's `Retry-After` is the minimum.
 */
export function retryDelaySeconds(attempts: number, retryAfterSeconds: number, random: number): number {
  const delay = Math.min(firstDelaySeconds * 3 ** (attempts - 1), longestDelaySeconds);
  return Math.max(delay * (1 - random / 2), Math.min(retryAfterSeconds, longestDelaySeconds));
}

const firstDelaySeconds = 10;
const longestDelaySeconds = 4 * 3600;
