import { Problem } from '@corner/contracts';
import Stripe from 'stripe';

export interface StripeOptions {
  readonly secretKey: string;
  /** Base address of a payment simulator; when absent, Stripe. */
  readonly apiBase?: string | undefined;
  /** Milliseconds until a request without a response counts as lost. */
  readonly timeoutMs: number;
}

/** Creates the Stripe client that all adapters of the provider share, for Stripe itself or for a simulator's address. */
export function createStripe({ secretKey, apiBase, timeoutMs }: StripeOptions): Stripe {
  const base = apiBase ? new URL(apiBase) : null;
  return new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: timeoutMs,
    telemetry: false,
    ...(base
      ? {
          host: base.hostname,
          port: Number(base.port || (base.protocol === 'https:' ? 443 : 80)),
          protocol: base.protocol === 'https:' ? ('https' as const) : ('http' as const),
        }
      : {}),
  });
}

/** The provider declined a request, finally. The message is the provider's. */
export class Declined extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined, cause: unknown) {
    super(message, { cause });
    this.name = 'Declined';
    this.code = code;
  }
}

/**
 * The provider gave no usable response, so whether the request had its effect is unknown. `mayBeKept` says whether the provider may
 * repeat the same error under the same idempotency key; otherwise the request can be repeated under it.
 */
export class Unanswered extends Problem {
  readonly mayBeKept: boolean;
  constructor({ mayBeKept, cause }: { readonly mayBeKept: boolean; readonly cause?: unknown }) {
    super('PAYMENT_PROVIDER_ERROR', { cause });
    this.mayBeKept = mayBeKept;
  }
}

/** Translates errors: a refusal to {@link Declined}, and any error after which the effect is uncertain to {@link Unanswered}. */
export async function calling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError) {
      throw new Declined(error.message, error.code, error);
    }
    if (error instanceof Stripe.errors.StripeError) throw new Unanswered({ mayBeKept: mayBeKept(error), cause: error });
    throw error;
  }
}

/**
 * Whether the provider may repeat an error under its key: one of its own, or that the key was used with other parameters. A 409 only
 * says that another request with the key is running. The SDK repeats lost requests itself, and a 5xx unless the provider's header says
 * that it is kept.
 */
const mayBeKept = (error: Error): boolean =>
  error instanceof Stripe.errors.StripeIdempotencyError || (error instanceof Stripe.errors.StripeAPIError && error.statusCode !== 409);

/** Returns null for an object that is unknown to the provider's account. */
export async function orNull<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return null;
    throw error;
  }
}
