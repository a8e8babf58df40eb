import { randomBytes, randomUUID } from 'node:crypto';
import { type CornerClient, CornerError, createClient } from '@corner/client';
import type { History } from '@corner/simulation';

export interface CallOptions {
  readonly operation: string;
  readonly token?: string | undefined;
  /** The Idempotency-Key of all attempts; drawn at random when absent. A given key also identifies the call in the history. */
  readonly key?: string | undefined;
  readonly traceId?: string | undefined;
}

export interface ApiCall extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly headers: Headers;
}

export async function recordAttempt(
  history: History,
  { operation, key = '' }: Pick<CallOptions, 'operation' | 'key'>,
  request: Request,
): Promise<ApiResponse> {
  const record = (outcome: 'ok' | 'refused' | 'unknown', status: number | null, response: unknown) =>
    history.add({ at: new Date().toISOString(), operation, key, outcome, status, response });
  try {
    const response = await fetch(request);
    const text = await response.text();
    const body = JSON.parse(text) as Record<string, unknown>;
    record(response.ok ? 'ok' : 'refused', response.status, body);
    return { status: response.status, body, text, headers: response.headers };
  } catch (error) {
    record('unknown', null, reasonOf(error));
    throw error;
  }
}

/** fetch puts the reason for a missing response into the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

/**
 * Records each attempt of one call. Retries temporary failures, waiting `patienceMs` in total; with 0 it makes one attempt. `onResponse`
 * receives every complete response.
 */
export function recordingClient(
  baseUrl: string,
  history: History,
  options: CallOptions,
  patienceMs = 240_000,
  onResponse: (response: ApiResponse) => void = () => {},
): CornerClient {
  const { token, traceId, key } = options;
  return createClient({
    baseUrl,
    ...(token === undefined ? {} : { token }),
    newKey: () => key ?? randomUUID(),
    traceparent: () => traceId && `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    attempts: patienceMs === 0 ? 1 : Number.POSITIVE_INFINITY,
    attemptMs: 60_000,
    waitMs: patienceMs,
    // A killed process restarts within a second; a longer pause would miss the moments right after its return.
    pauseMs: 200,
    async fetch(request) {
      const response = await recordAttempt(history, options, request);
      onResponse(response);
      return new Response(response.text, { status: response.status, headers: response.headers });
    },
  });
}

export const callOnce = (history: History, apiCall: ApiCall): Promise<ApiResponse> => call(history, apiCall, 0);

/** Returns the last response; rejects when there was none within `patienceMs`. */
export const callWithRetries = (history: History, apiCall: ApiCall, patienceMs = 240_000): Promise<ApiResponse> =>
  call(history, apiCall, patienceMs);

async function call(history: History, { method, url, body, ...options }: ApiCall, patienceMs: number): Promise<ApiResponse> {
  const { origin, pathname, search } = new URL(url);
  let last: ApiResponse | undefined;
  const corner = recordingClient(origin, history, options, patienceMs, (response) => {
    last = response;
  });
  const request = corner[method] as unknown as (path: string, init: { body?: unknown }) => Promise<unknown>;
  try {
    await request(pathname + search, { body });
  } catch (error) {
    if (!(error instanceof CornerError) || error.status === 0) throw error;
  }
  if (!last) throw new Error(`no request was made for ${options.operation}`);
  return last;
}
