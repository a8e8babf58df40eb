import createFetchClient, { type FetchOptions } from 'openapi-fetch';
import type { paths } from './openapi.ts';
import { type Means, type Patience, sendPatiently } from './send-patiently.ts';

/** An access token, or whoever has a current one: asked before every request, so that one which ran out is replaced. */
export type Token = string | (() => string | Promise<string>);

export interface ClientOptions extends Partial<Patience>, Partial<Means> {
  /** Address of the gateway, without /api/v1. */
  readonly baseUrl: string;
  /** None for operations that need nobody to be signed in. */
  readonly token?: Token;
  /** Makes the Idempotency-Key of a change; a UUID by default. */
  readonly newKey?: () => string;
  /** The trace that requests belong to, as W3C Trace Context writes it; a call's own traceparent header wins. */
  readonly traceparent?: () => string | undefined;
}

type Method = 'GET' | 'POST' | 'PATCH';
type PathsWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<Lowercase<M>, object> ? P : never }[keyof paths];
type OperationAt<M extends Method, P extends keyof paths> = paths[P] extends Record<Lowercase<M>, infer O> ? O : never;
type Asked<O> = FetchOptions<O>;
type Data<O> = O extends { responses: { 200: { content: { 'application/json': infer D } } } } ? D : never;

/** The answer to a call that was done. */
export interface Reply<T> {
  readonly data: T;
  readonly requestId: string | undefined;
  /** Whether this is the first answer under the same key, given again. */
  readonly replayed: boolean;
  readonly response: Response;
}

/** Calls an operation by its path. Throws a CornerError for all but a 200. */
export type Call<M extends Method> = <P extends PathsWith<M>>(
  path: P,
  ...asked: Record<never, never> extends Asked<OperationAt<M, P>> ? [asked?: Asked<OperationAt<M, P>>] : [asked: Asked<OperationAt<M, P>>]
) => Promise<Reply<Data<OperationAt<M, P>>>>;

/** Corner, as somebody who holds one token sees it. */
export interface CornerClient {
  readonly GET: Call<'GET'>;
  readonly POST: Call<'POST'>;
  readonly PATCH: Call<'PATCH'>;
}

/**
 * A client for one caller. Every change carries an Idempotency-Key, the same on its repeats, so a call may be repeated
 * whatever became of it: after a network fault, 429, 5xx and IDEMPOTENCY_IN_PROGRESS this happens by itself.
 */
export function createClient(options: ClientOptions): CornerClient {
  const {
    baseUrl,
    token,
    newKey = () => crypto.randomUUID(),
    traceparent = () => undefined,
    fetch = (request) => globalThis.fetch(request),
  } = options;
  const patience: Patience = {
    attempts: options.attempts ?? 5,
    attemptMs: options.attemptMs ?? 15_000,
    waitMs: options.waitMs ?? 30_000,
    pauseMs: options.pauseMs ?? 5_000,
  };
  const means: Means = {
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
    fetch: (request) => sendPatiently(request, patience, means),
  });
  client.use({
    onRequest({ request }) {
      if (request.method !== 'GET' && !request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', newKey());
      const trace = traceparent();
      if (trace !== undefined && !request.headers.has('traceparent')) request.headers.set('traceparent', trace);
    },
  });

  const ask = async (method: Method, path: string, asked: object = {}): Promise<Reply<unknown>> => {
    const { data, response } = await client.request(method.toLowerCase() as 'get', path as '/api/v1/orders', asked as never);
    return {
      data,
      response,
      requestId: response.headers.get('x-request-id') ?? undefined,
      replayed: response.headers.get('idempotent-replayed') === 'true',
    };
  };
  const call = <M extends Method>(method: M) => ((path: string, asked?: object) => ask(method, path, asked)) as unknown as Call<M>;
  return { GET: call('GET'), POST: call('POST'), PATCH: call('PATCH') };
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const given = () => {
      clearTimeout(timer);
      reject(signal.reason as unknown);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', given);
      resolve();
    }, ms);
    if (signal.aborted) given();
    else signal.addEventListener('abort', given, { once: true });
  });
}
