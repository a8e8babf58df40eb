import { CornerError, readError } from './corner-error.ts';

/** How often and how long a call is retried. */
export interface RetryLimits {
  /** The largest number of requests for one call, the first included. */
  readonly attempts: number;
  /** Milliseconds that one request may take, including the whole response. */
  readonly attemptMs: number;
  /** The largest sum, in milliseconds, of the pauses of one call. A longer Retry-After ends the call. */
  readonly waitMs: number;
  /** The longest pause between two requests in milliseconds, unless Retry-After is longer. Pauses double up to it. */
  readonly pauseMs: number;
}

/** What tests replace: the network, time and randomness. */
export interface RetryDependencies {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Waits for `ms` milliseconds. Rejects with the signal's reason when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
}

/**
 * Sends a request, and repeats it after a network error, 429, 5xx (not 501) and IDEMPOTENCY_IN_PROGRESS. The caller ensures
 * that a repeat is safe. Returns a complete successful response. Throws a {@link CornerError} for any other, and the signal's
 * reason when the request was aborted.
 */
export async function sendWithRetries(request: Request, limits: RetryLimits, dependencies: RetryDependencies): Promise<Response> {
  for (let attempt = 1, waited = 0; ; attempt += 1) {
    const outcome = await sendOnce(request.clone(), limits.attemptMs, dependencies.fetch);
    if (outcome instanceof Response) return outcome;
    request.signal.throwIfAborted();
    const pause = pauseBefore(attempt, limits.pauseMs, outcome.retryAfter, dependencies.random);
    if (!isRetryable(outcome) || attempt >= limits.attempts || waited + pause > limits.waitMs) throw outcome;
    await dependencies.wait(pause, request.signal);
    waited += pause;
  }
}

async function sendOnce(request: Request, attemptMs: number, fetch: RetryDependencies['fetch']): Promise<Response | CornerError> {
  try {
    const response = await fetch(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(attemptMs)]) }));
    // The whole body is read here, so that a response that breaks off is retried.
    const { status, headers } = response;
    const complete = new Response(await response.arrayBuffer(), { status, headers });
    return complete.ok ? complete : await readError(complete);
  } catch (cause) {
    return new CornerError({ code: 'UNREACHABLE', status: 0, message: 'No complete response arrived.', cause });
  }
}

/**
 * Whether a repeat of the same request may succeed. It may after a 500: Corner stores no 5xx under an Idempotency-Key, so a
 * repeat resumes the work. It does not after a 501.
 */
const isRetryable = ({ code, status }: CornerError): boolean =>
  code === 'UNREACHABLE' || code === 'IDEMPOTENCY_IN_PROGRESS' || status === 429 || (status >= 500 && status !== 501);

const firstPauseMs = 100;

/** Milliseconds before the next attempt: doubled each time, or the Retry-After. Random jitter spreads clients that failed at the same time. */
function pauseBefore(attempt: number, longestMs: number, retryAfter: number | undefined, random: () => number): number {
  const doubledMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestMs);
  return retryAfter === undefined ? doubledMs * (0.5 + random() / 2) : retryAfter * 1000 + firstPauseMs * random();
}
