import { CornerError, refusalOf } from './corner-error.ts';

/** How often and how long a call is tried. */
export interface Patience {
  /** Requests made for one call, the first included. */
  readonly attempts: number;
  /** Milliseconds one request may take, its whole answer included. */
  readonly attemptMs: number;
  /** Milliseconds waited between all requests of a call, at most. A Retry-After beyond it is not waited for. */
  readonly waitMs: number;
  /** Milliseconds between two requests, at most, where no Retry-After asks for more: pauses double until then. */
  readonly pauseMs: number;
}

/** What the call is made with: the network, time and chance. */
export interface Means {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Waits so many milliseconds; rejects with the signal's reason when that is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

/**
 * Sends a request until a definite answer comes: again after a fault of the network, after 429 and 5xx, and while a twin
 * under the same key is still running. The caller makes sure that a repeat is safe. Resolves with a whole answer of
 * status 200; throws a {@link CornerError} for any other, and the signal's reason when the request was aborted.
 */
export async function sendPatiently(request: Request, patience: Patience, means: Means): Promise<Response> {
  for (let attempt = 1, waited = 0; ; attempt += 1) {
    const outcome = await sendOnce(request.clone(), patience.attemptMs, means.fetch);
    if (outcome instanceof Response) return outcome;
    request.signal.throwIfAborted();
    const pause = pauseBefore(attempt, patience.pauseMs, outcome.retryAfter, means.random);
    if (!isPassing(outcome) || attempt >= patience.attempts || waited + pause > patience.waitMs) throw outcome;
    await means.wait(pause, request.signal);
    waited += pause;
  }
}

async function sendOnce(request: Request, attemptMs: number, fetch: Means['fetch']): Promise<Response | CornerError> {
  try {
    const response = await fetch(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(attemptMs)]) }));
    // An answer that breaks off halfway is no answer, so it is read here, where it can be asked for again.
    const { status, headers } = response;
    const whole = new Response(await response.arrayBuffer(), { status, headers });
    return whole.ok ? whole : await refusalOf(whole);
  } catch (cause) {
    return new CornerError({ code: 'UNREACHABLE', status: 0, message: 'No whole answer came.', cause });
  }
}

/**
 * Whether the world is in trouble, and not the request. A 500 counts as such: under its key nothing is kept of it, so that
 * a repeat goes on where the work broke off. What is not implemented stays so.
 */
const isPassing = ({ code, status }: CornerError): boolean =>
  code === 'UNREACHABLE' || code === 'IDEMPOTENCY_IN_PROGRESS' || status === 429 || (status >= 500 && status !== 501);

const firstPauseMs = 100;

/** Milliseconds before the next attempt: doubling, or what the answer asked for; never the same for all who were turned away together. */
function pauseBefore(attempt: number, longestMs: number, retryAfter: number | undefined, random: () => number): number {
  const grown = Math.min(firstPauseMs * 2 ** (attempt - 1), longestMs);
  return retryAfter === undefined ? grown * (0.5 + random() / 2) : retryAfter * 1000 + firstPauseMs * random();
}
