import { type AnyRequestOptions, type Call, type Follow, type Method, type Reply, requestOf } from './call.ts';
import { followReply } from './follow-reply.ts';
import { keyInBody, operationNames } from './operation-names.ts';
import { type Attempted, type RetryDependencies, type RetryLimits, reasonOf, sendWithRetries } from './send-with-retries.ts';

/**
 * An access token, or a function that returns a current one. The function is called before every request, so it can replace an expired
 * token.
 */
export type Token = string | (() => string | Promise<string>);

export interface ClientOptions extends Partial<RetryLimits>, Partial<RetryDependencies> {
  /** The URL of the gateway, without /api/v1. */
  readonly baseUrl: string;
  /** May be absent for public operations. */
  readonly token?: Token;
  /** Generates the Idempotency-Key of a change. A random UUID by default. */
  readonly newKey?: () => string;
  /** Returns the W3C Trace Context header for a request. A traceparent header of the call takes precedence. */
  readonly traceparent?: () => string | undefined;
}

/** Calls to Corner's operations with the token of one caller. */
export interface CornerClient {
  readonly GET: Call<'GET'>;
  readonly POST: Call<'POST'>;
  readonly PATCH: Call<'PATCH'>;
  readonly DELETE: Call<'DELETE'>;
  /** Iterates over the states of a read. Reconnects automatically; the iteration ends with `break` or with its signal. */
  readonly follow: Follow;
}

/**
 * Creates a client for one caller. Every change carries an Idempotency-Key, and its retries carry the same key. The client retries after a
 * network error, 408, 429, 5xx and IDEMPOTENCY_IN_PROGRESS, unless the response proves that nothing was done.
 */
export function createClient(options: ClientOptions): CornerClient {
  const { token, newKey = newUuid, traceparent = () => undefined, fetch = (request) => globalThis.fetch(request) } = options;
  const limits: RetryLimits = {
    attempts: options.attempts ?? 5,
    attemptMs: options.attemptMs ?? 15_000,
    waitMs: options.waitMs ?? 30_000,
    pauseMs: options.pauseMs ?? 5_000,
  };
  const dependencies: RetryDependencies = {
    wait: options.wait ?? waitFor,
    random: options.random ?? Math.random,
    onRetry: options.onRetry ?? (() => {}),
    async fetch(request) {
      if (token !== undefined) request.headers.set('Authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
      return await fetch(request);
    },
  };

  const prepare = (method: Method, path: string, given: AnyRequestOptions): Attempted => {
    const operation = operationNames[`${method} ${path}`];
    const key = given.params?.header?.['Idempotency-Key'] ?? (method === 'GET' ? undefined : newKey());
    const body = operation && keyInBody.includes(operation) ? { idempotency_key: key, ...(given.body as object) } : given.body;
    const request = requestOf(options.baseUrl, method, path, { ...given, body });
    if (key !== undefined) request.headers.set('Idempotency-Key', key);
    const trace = traceparent();
    if (trace !== undefined && !request.headers.has('traceparent')) request.headers.set('traceparent', trace);
    if (given.previous?.etag !== undefined) request.headers.set('If-None-Match', given.previous.etag);
    return { request, operation };
  };
  const send = async (method: Method, path: string, given: AnyRequestOptions = {}): Promise<Reply<unknown>> => {
    const { data, response } = await sendWithRetries(prepare(method, path, given), limits, dependencies);
    const unchanged = response.status === 304;
    return {
      data: unchanged ? given.previous?.data : data,
      response,
      etag: response.headers.get('etag') ?? undefined,
      unchanged,
      requestId: response.headers.get('x-request-id') ?? undefined,
      replayed: response.headers.get('idempotent-replayed') === 'true',
    };
  };
  const call = <M extends Method>(method: M) =>
    ((path: string, given?: AnyRequestOptions) => send(method, path, given)) as unknown as Call<M>;
  const follow = (path: string, given: AnyRequestOptions = {}) =>
    followReply(prepare('GET', path, { ...given, headers: { ...given.headers, Accept: 'text/event-stream' } }), limits, dependencies);
  return { GET: call('GET'), POST: call('POST'), PATCH: call('PATCH'), DELETE: call('DELETE'), follow: follow as unknown as Follow };
}

/** A random UUID. `crypto.randomUUID` is missing from a page without https, such as a development server seen from a phone. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const versioned = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return versioned.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
