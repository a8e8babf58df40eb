import type { OperationName } from './call.ts';
import { CornerError, parseJson, readError } from './corner-error.ts';
import { outcomeOf } from './outcome.ts';

export interface RetryLimits {
  readonly attempts: number;
  /** Milliseconds that one request may take, including the whole response. */
  readonly attemptMs: number;
  /** The largest sum, in milliseconds, of the pauses of one call. A longer Retry-After ends the call. */
  readonly waitMs: number;
  /** The longest pause between two requests in milliseconds, unless Retry-After is longer. Pauses double up to it. */
  readonly pauseMs: number;
}

/** A request that failed and will be repeated after `pauseMs`; `attempt` counts the failed ones from 1. */
export interface Retry {
  readonly operation: OperationName | undefined;
  readonly attempt: number;
  readonly pauseMs: number;
  readonly error: CornerError;
}

/** The network, time and randomness, which a caller or a test may replace; and a function that is called before each retry. */
export interface RetryDependencies {
  /** Sends one request. Rejects when there is no response. The global `fetch` fits. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Waits for `ms` milliseconds. Rejects with the signal's reason when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly onRetry: (retry: Retry) => void;
}

export interface CompleteResponse {
  readonly response: Response;
  readonly data: unknown;
}

export interface Attempted {
  readonly request: Request;
  readonly operation: OperationName | undefined;
}

/**
 * Sends a request, and repeats it after a network error, 408, 429, 5xx and IDEMPOTENCY_IN_PROGRESS, unless the response proves that nothing
 * was done. The caller ensures that a repeat is safe. Returns a complete successful response, or a 304 without data. Throws a {@link
 * CornerError} for any other, and the signal's reason when the request was aborted.
 */
export async function sendWithRetries(
  { request, operation }: Attempted,
  limits: RetryLimits,
  dependencies: RetryDependencies,
): Promise<CompleteResponse> {
  for (let attempt = 1, waited = 0; ; attempt += 1) {
    const outcome = await sendOnce({ request, operation }, limits.attemptMs, dependencies.fetch);
    if ('data' in outcome) return outcome;
    throwIfAborted(request.signal);
    const pauseMs = pauseBefore(attempt, limits.pauseMs, outcome.retryAfter, dependencies.random);
    if (!isRetryable(outcome) || attempt >= limits.attempts || waited + pauseMs > limits.waitMs) throw outcome;
    dependencies.onRetry({ operation, attempt, pauseMs, error: outcome });
    await dependencies.wait(pauseMs, request.signal);
    waited += pauseMs;
  }
}

async function sendOnce(
  { request, operation }: Attempted,
  attemptMs: number,
  fetch: RetryDependencies['fetch'],
): Promise<CompleteResponse | CornerError> {
  // Two signals are joined by hand, because AbortSignal.any and AbortSignal.timeout are missing from React Native.
  const attempt = new AbortController();
  const abort = () => attempt.abort(request.signal.reason);
  const timer = setTimeout(() => attempt.abort(new Error(`No complete response within ${attemptMs} ms.`)), attemptMs);
  request.signal.addEventListener('abort', abort);
  if (request.signal.aborted) abort();
  try {
    const response = await fetch(new Request(request.clone(), { signal: attempt.signal }));
    // The whole body is read here, so that an incomplete response is retried.
    const text = await response.text();
    if (response.status === 304) return { response, data: undefined };
    const data = response.ok ? parseJson(text) : undefined;
    return data === undefined ? readError(response, text, operation) : { response, data };
  } catch (cause) {
    return new CornerError({ code: 'UNREACHABLE', status: 0, message: 'No complete response arrived.', operation, cause });
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', abort);
  }
}

/**
 * Whether a repeat of the same request may succeed: its outcome is unknown, and time may change it. After a 500 it may: Corner stores no
 * 5xx under an Idempotency-Key, so a repeat resumes the work. It does not with the same token, nor where the requested thing does not
 * exist.
 */
export const isRetryable = (error: CornerError): boolean =>
  outcomeOf(error) === 'unknown' &&
  (error.code === 'UNREACHABLE' ||
    error.code === 'IDEMPOTENCY_IN_PROGRESS' ||
    error.status === 408 ||
    error.status === 429 ||
    (error.status >= 500 && error.status !== 501));

const firstPauseMs = 100;

/**
 * Milliseconds before the next attempt: doubled each time, or the Retry-After. Random jitter spreads clients that failed at the same time.
 */
export function pauseBefore(attempt: number, longestMs: number, retryAfter: number | undefined, random: () => number): number {
  const doubledMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestMs);
  return retryAfter === undefined ? doubledMs * (0.5 + random() / 2) : retryAfter * 1000 + firstPauseMs * random();
}

/**
 * Throws the reason of an aborted signal. It only uses `aborted`, because React Native's signals have neither `throwIfAborted` nor a
 * reason.
 */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

export const reasonOf = (signal: AbortSignal): unknown => signal.reason ?? new Error('The call was aborted.');
