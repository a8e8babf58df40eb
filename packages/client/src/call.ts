import type { operations, paths } from './openapi.ts';

/** The name of an operation, as in the reference: `createOrder`, for example. */
export type OperationName = keyof operations;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type PathsWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<Lowercase<M>, object> ? P : never }[keyof paths];
type OperationAt<M extends Method, P extends keyof paths> = paths[P] extends Record<Lowercase<M>, infer O> ? O : never;

type Data<O> = O extends { responses: { 200: { content: { 'application/json': infer D } } } } ? D : never;
type Params<O> = O extends { parameters: infer P } ? (Record<never, never> extends P ? { params?: P } : { params: P }) : unknown;
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? { body: B } : { body?: never };

/** The parameters and the body of an operation, and the options of one call. */
export type RequestOptions<O> = Params<O> &
  Body<O> & {
    readonly headers?: Readonly<Record<string, string>>;
    /** An earlier reply of the same read. While its data is still the newest, it is not sent again: see `unchanged`. */
    readonly previous?: Reply<Data<O>> | undefined;
    /** Aborts the call, also between two requests. The call throws the signal's reason. */
    readonly signal?: AbortSignal | undefined;
  };

/** The result of a successful call. */
export interface Reply<T> {
  readonly data: T;
  readonly requestId: string | undefined;
  /** True when this is the stored response of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** Names the state of the data; undefined for an operation that has no ETag. */
  readonly etag: string | undefined;
  /** True when the data is that of the `previous` reply, because nothing has changed since. */
  readonly unchanged: boolean;
  readonly response: Response;
}

/** Calls an operation by its path. Throws a CornerError for any status but 200. */
export type Call<M extends Method> = <P extends PathsWith<M>>(
  path: P,
  ...options: Record<never, never> extends RequestOptions<OperationAt<M, P>>
    ? [options?: RequestOptions<OperationAt<M, P>>]
    : [options: RequestOptions<OperationAt<M, P>>]
) => Promise<Reply<Data<OperationAt<M, P>>>>;

type FollowablePath = {
  [P in PathsWith<'GET'>]: OperationAt<'GET', P> extends { responses: { 200: { content: { 'text/event-stream': unknown } } } } ? P : never;
}[PathsWith<'GET'>];

/** Follows a read by its path: yields its data at once, and again whenever it has changed. Throws a CornerError when it is refused. */
export type Follow = <P extends FollowablePath>(
  path: P,
  ...options: Record<never, never> extends RequestOptions<OperationAt<'GET', P>>
    ? [options?: Omit<RequestOptions<OperationAt<'GET', P>>, 'previous'>]
    : [options: Omit<RequestOptions<OperationAt<'GET', P>>, 'previous'>]
) => AsyncGenerator<Data<OperationAt<'GET', P>>, void>;

export interface AnyRequestOptions {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly header?: Readonly<Record<string, string | undefined>>;
  };
  readonly body?: unknown;
  readonly previous?: Reply<unknown> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export function requestOf(baseUrl: string, method: Method, path: string, { params, body, headers, signal }: AnyRequestOptions): Request {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.path?.[name] ?? ''));
  const query = new URLSearchParams(present(params?.query)).toString();
  return new Request(`${baseUrl.replace(/\/+$/, '')}${filled}${query && `?${query}`}`, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
      ...present(params?.header),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
}

const present = (values: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])));
