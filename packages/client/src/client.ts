import createFetchClient, { type FetchOptions } from 'openapi-fetch';
import type { paths } from './openapi.ts';
import { type RetryDependencies, type RetryLimits, sendWithRetries } from './send-with-retries.ts';

/** An access token, or a function that returns a current one. The function is called before every request, so it can replace an expired token. */
export type Token = string | (() => string | Promise<string>);

export interface ClientOptions extends Partial<RetryLimits>, Partial<RetryDependencies> {
  /** The URL of the gateway, without /api/v1. */
  readonly baseUrl: string;
  /** May be absent for public operations. */
  readonly token?: Token;
  /** Generates the Idempotency-Key of a change. A UUID by default. */
  readonly newKey?: () => string;
  /** Returns the W3C Trace Context header for a request. A traceparent header of the call takes precedence. */
  readonly traceparent?: () => string | undefined;
}

type Method = 'GET' | 'POST' | 'PATCH';
type PathsWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<Lowercase<M>, object> ? P : never }[keyof paths];
type OperationAt<M extends Method, P extends keyof paths> = paths[P] extends Record<Lowercase<M>, infer O> ? O : never;
type RequestOptions<O> = FetchOptions<O>;
type Data<O> = O extends { responses: { 200: { content: { 'application/json': infer D } } } } ? D : never;

/** The result of a successful call. */
export interface Reply<T> {
  readonly data: T;
  readonly requestId: string | undefined;
  /** True when this is the stored response of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  readonly response: Response;
}

/** Calls an operation by its path. Throws a CornerError for any status but 200. */
export type Call<M extends Method> = <P extends PathsWith<M>>(
  path: P,
  ...options: Record<never, never> extends RequestOptions<OperationAt<M, P>>
    ? [options?: RequestOptions<OperationAt<M, P>>]
    : [options: RequestOptions<OperationAt<M, P>>]
) => Promise<Reply<Data<OperationAt<M, P>>>>;

/** Calls to Corner's operations with the token of one caller. */
export interface CornerClient {
  readonly GET: Call<'GET'>;
  readonly POST: Call<'POST'>;
  readonly PATCH: Call<'PATCH'>;
}

/**
 * Creates a client for one caller. Every change carries an Idempotency-Key, and its retries carry the same key. The client
 * retries after a network error, 429, 5xx (not 501) and IDEMPOTENCY_IN_PROGRESS.
 */
export function createClient(options: ClientOptions): CornerClient {
  const {
    baseUrl,
    token,
    newKey = () => crypto.randomUUID(),
    traceparent = () => undefined,
    fetch = (request) => globalThis.fetch(request),
  } = options;
  const limits: RetryLimits = {
    attempts: options.attempts ?? 5,
    attemptMs: options.attemptMs ?? 15_000,
    waitMs: options.waitMs ?? 30_000,
    pauseMs: options.pauseMs ?? 5_000,
  };
  const dependencies: RetryDependencies = {
    wait: options.wait ?? waitFor,
    random: options.random ?? Math.random,
    async fetch(request) {
      if (token !== undefined) request.headers.set('Authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
      return await fetch(request);
    },
  };
  const client = createFetchClient<paths>({
    baseUrl,
    headers: { Accept: 'application/json' },
    fetch: (request) => sendWithRetries(request, limits, dependencies),
  });
  client.use({
    onRequest({ request }) {
      if (request.method !== 'GET' && !request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', newKey());
      const trace = traceparent();
      if (trace !== undefined && !request.headers.has('traceparent')) request.headers.set('traceparent', trace);
    },
  });

  const request = async (method: Method, path: string, requestOptions: object = {}): Promise<Reply<unknown>> => {
    const { data, response } = await client.request(method.toLowerCase() as 'get', path as '/api/v1/orders', requestOptions as never);
    return {
      data,
      response,
      requestId: response.headers.get('x-request-id') ?? undefined,
      replayed: response.headers.get('idempotent-replayed') === 'true',
    };
  };
  const call = <M extends Method>(method: M) =>
    ((path: string, requestOptions?: object) => request(method, path, requestOptions)) as unknown as Call<M>;
  return { GET: call('GET'), POST: call('POST'), PATCH: call('PATCH') };
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as unknown);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
