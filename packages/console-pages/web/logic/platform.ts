import type { paths } from '@corner/client';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** An operation by its method and path, as the client and the reference name it: `GET /api/v1/orders/{orderId}`. */
export type Call = {
  [P in keyof paths]: { [M in Method]: paths[P] extends Record<Lowercase<M>, object> ? `${M} ${P}` : never }[Method];
}[keyof paths];
type OperationOf<C extends Call> = C extends `${infer M} ${infer P extends keyof paths}`
  ? paths[P] extends Record<Lowercase<M>, infer O>
    ? O
    : never
  : never;

export type Reply<C extends Call> = OperationOf<C> extends { responses: { 200: { content: { 'application/json': infer R } } } } ? R : never;

export type Body<C extends Call> = C extends Call
  ? OperationOf<C> extends { requestBody: { content: { 'application/json': infer B } } }
    ? Sent<B>
    : undefined
  : never;
type Sent<T> = T extends object ? { readonly [K in keyof T]: Sent<T[K]> | IfOptional<T, K> } : T;
type IfOptional<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? undefined : never;

export type Parameters<C extends Call> =
  OperationOf<C> extends { parameters: { path?: infer P; query?: infer Q } } ? Fields<P> & Fields<Q> : unknown;
type Fields<T> = [T] extends [never] | [undefined]
  ? unknown
  : { readonly [K in keyof T]: T[K] | IfOptional<T, K> | (string extends T[K] ? number : never) };

export type PathTo<T> = string & { readonly reply?: T };

type Read = Extract<Call, `GET ${string}`> extends `GET ${infer P}` ? P : never;

export const pathTo = <P extends Read>(path: P, parameters: Parameters<`GET ${P}`>): PathTo<Reply<`GET ${P}`>> =>
  filled(path, parameters as Values) as PathTo<Reply<`GET ${P}`>>;

type Values = Readonly<Record<string, string | number | undefined>>;

/** Parameters that the path does not name become its query. */
export function filled(path: string, parameters: Values): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && !path.includes(`{${name}}`)) query.set(name, String(value));
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
  return query.size > 0 ? `${address}?${query}` : address;
}
