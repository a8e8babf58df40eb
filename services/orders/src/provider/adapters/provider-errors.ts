import { Problem } from '@corner/contracts';

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
 * repeat the same error under the same idempotency key; otherwise the request can be repeated under it. With `retryAfterSeconds` the
 * provider had no time for the request: UPSTREAM_UNAVAILABLE.
 */
export class Unanswered extends Problem {
  readonly mayBeKept: boolean;
  constructor({ mayBeKept, ...options }: { readonly mayBeKept: boolean; readonly cause?: unknown; readonly retryAfterSeconds?: number }) {
    super(options.retryAfterSeconds === undefined ? 'PAYMENT_PROVIDER_ERROR' : 'UPSTREAM_UNAVAILABLE', options);
    this.mayBeKept = mayBeKept;
  }
}

/** Rethrows an error: a refusal of the provider as PAYMENT_PROVIDER_ERROR, any other as it is. */
export function rethrowAsProviderError(error: unknown): never {
  throw error instanceof Declined ? new Problem('PAYMENT_PROVIDER_ERROR', { cause: error }) : error;
}
