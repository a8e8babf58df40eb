import { Problem, type ProviderMode } from '@corner/contracts';

export interface ProviderOutcome {
  readonly id: string;
  readonly status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  /** Why it failed, in the provider's words, such as `expired_or_canceled_card`. Null when it names no reason. */
  readonly failureReason?: string | null;
}

export type ProviderPurpose = 'account' | 'customer' | 'intent' | 'ephemeral_key' | 'refund' | 'transfer_reversal' | 'transfer';

export interface Attempt {
  readonly purpose: ProviderPurpose;
  readonly attempt: number;
  readonly state: 'requested' | 'done' | 'refused' | 'failed';
  readonly created_at: string;
  readonly ended_at: string | null;
}

/**
 * The next step. 'ask': call under the attempt's key. 'begin': call as a new attempt, under a new key. 'look': look for the thing at the
 * provider, and do no more now. 'look and begin': look, and begin if it is not there.
 */
export type NextStep = 'ask' | 'begin' | 'look and begin' | 'look';

/** The provider keeps a key for at least a day; an hour less leaves room for its clock and for the call itself. */
const keyLifeMs = 23 * 3_600_000;
/** Time in which the effect of a request that ended in a 500 may still appear. */
const appearsWithinMs = 10_000;
/** Each refusal makes the next attempt wait this much longer, an hour at most. */
const refusedWaitMs = 60_000;

/** A second account, customer or intent is harmless: no one gets its address or secret, and no money moves through it. */
const movesMoney = (purpose: ProviderPurpose): boolean => purpose === 'refund' || purpose === 'transfer_reversal' || purpose === 'transfer';

/** Decides how to continue after the latest attempt. A key that may have kept a failure is never used again. */
export function nextStep({ purpose, attempt, state, created_at, ended_at }: Attempt, now: Date): NextStep {
  const sinceBegun = now.getTime() - Date.parse(created_at);
  const sinceEnded = now.getTime() - Date.parse(ended_at ?? created_at);
  switch (state) {
    case 'requested':
      return sinceBegun < keyLifeMs ? 'ask' : 'look and begin';
    case 'done':
      return sinceBegun < keyLifeMs ? 'ask' : 'look';
    case 'refused':
      return movesMoney(purpose) && sinceEnded < Math.min(attempt, 60) * refusedWaitMs ? 'look' : 'begin';
    case 'failed':
      return movesMoney(purpose) && sinceEnded < appearsWithinMs ? 'look' : 'look and begin';
  }
}

const mostOnStatement = 22;

/**
 * Returns a store's name as the end of a line on a card statement: Latin letters without accents, digits and a few signs. Null when no
 * letter remains. The provider truncates it to the room beside the account's own name.
 */
export function descriptorOf(name: string): string | null {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}|[’']/gu, '')
    .replace(/[^A-Za-z0-9 .,&/#+-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, mostOnStatement)
    .trim();
  return /[A-Za-z]/.test(plain) ? plain : null;
}

/** Whether an id belongs to the provider's other mode, in which it means nothing. Ids without a mode are from before it was stored. */
export const isOfOtherMode = (mode: ProviderMode | null, present: ProviderMode): boolean => mode !== null && mode !== present;

export function checkMode({ payment_mode: mode }: { readonly payment_mode: ProviderMode | null }, present: ProviderMode): void {
  if (!isOfOtherMode(mode, present)) return;
  throw new Problem('PAYMENT_MODE_MISMATCH', {
    message: `The order was placed in the payment provider’s ${mode} mode, and this deployment uses its ${present} mode.`,
  });
}

export const keyOf = (name: string, attempt: number): string => (attempt === 1 ? name : `${name}:${attempt}`);

/**
 * Key names for creating the account of a store, a customer, the intent of an order, a refund attempt of an order, the reversal for a
 * refund, and the reversal and the repayment of a disputed share.
 */
export const accountKey = (storeId: string, mode: ProviderMode): string => `account:${storeId}:${mode}`;
export const customerKey = (reference: string): string => `customer:${reference}`;
export const intentKey = (orderId: string): string => `pi:${orderId}`;
export const refundKey = (orderId: string, attempt: string): string => `refund:${orderId}:${attempt}`;
export const reversalKey = (refundId: string): string => `reversal:${refundId}`;
export const shareReversalKey = (disputeId: string): string => `dispute:${disputeId}:reversal`;
export const shareRepaymentKey = (disputeId: string): string => `dispute:${disputeId}:repayment`;

export class Declined extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined, cause: unknown) {
    super(message, { cause });
    this.name = 'Declined';
    this.code = code;
  }
}

/**
 * The provider gave no usable response, so it is unknown whether the request had its effect. With `mayBeKept` the provider may repeat the
 * same error under the same idempotency key; otherwise the request can be repeated under it. With `retryAfterSeconds` the provider was too
 * busy for the request: UPSTREAM_UNAVAILABLE.
 */
export class Unanswered extends Problem {
  readonly mayBeKept: boolean;
  constructor({ mayBeKept, ...options }: { readonly mayBeKept: boolean; readonly cause?: unknown; readonly retryAfterSeconds?: number }) {
    super(options.retryAfterSeconds === undefined ? 'PAYMENT_PROVIDER_ERROR' : 'UPSTREAM_UNAVAILABLE', options);
    this.mayBeKept = mayBeKept;
  }
}

export function rethrowAsProviderError(error: unknown): never {
  throw error instanceof Declined ? new Problem('PAYMENT_PROVIDER_ERROR', { cause: error }) : error;
}
