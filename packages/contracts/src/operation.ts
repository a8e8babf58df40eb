import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { ServiceName } from './vocabulary.ts';

/** The three kinds of bearer token (the `typ` claim). */
export type CallerType = 'customer' | 'merchant' | 'staff';

/** Who may call an operation. `optional` operations also serve a caller without any token. */
export interface CallerRule {
  readonly types: readonly CallerType[];
  readonly optional?: true;
  /** A scope the interface names for the operation; enforced always. */
  readonly scope?: 'merchant:read' | 'customer:read';
}

/** A merchant or a member of staff who holds the store named by the request's `store_id`. */
export const merchant: CallerRule = { types: ['merchant', 'staff'] };
/** The same people as {@link merchant}; the interface uses this word where the deed is done at the counter. */
export const staff: CallerRule = merchant;
export const customer: CallerRule = { types: ['customer'] };
/** Nobody needs to be signed in; a customer who is gets recognised. */
export const anyone: CallerRule = { types: ['customer'], optional: true };
/** The same rule, with a scope the token must carry. */
export const scoped = (rule: CallerRule, scope: NonNullable<CallerRule['scope']>): CallerRule => ({ ...rule, scope });

/**
 * How a repeat of a mutating operation is recognised.
 * - `header`: the Idempotency-Key header; the first answer is stored and given again, byte for byte.
 * - `body`: a key in the body that the service's own unique constraint guards; the answer is rebuilt, because it
 *   holds secrets which must not be stored.
 * - `none`: reads.
 */
export type Replay = 'header' | 'body' | 'none';

/**
 * A token bucket. `by` says whose bucket: the caller (an anonymous one has none), the network address, or the address
 * together with the store. With `counts: 'failures'` only refused requests (4xx) empty it: that stops guessing.
 */
export interface RateLimit {
  readonly by: 'principal' | 'address' | 'address+store';
  readonly counts?: 'failures';
  readonly limit: number;
  readonly windowSeconds: number;
}

type Shape = z.ZodType | undefined;

/** One operation of the public interface: all that a client, the service, the gateway and the reference know of it. */
export interface OperationContract<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly name: string;
  readonly service: ServiceName;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path under the gateway, with `{name}` for parameters. */
  readonly path: `/api/v1/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly caller: CallerRule;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply: Reply;
  /** The operation's own refusals. Those every operation shares are in `commonProblems`. */
  readonly problems: readonly ProblemCode[];
  readonly replay: Replay;
  /**
   * With `replay: 'header'`, for an answer that holds a secret: it is not stored. A repeat runs the operation again, which finds what
   * it made under the same key.
   */
  readonly unstored?: true;
  readonly limits?: readonly RateLimit[];
  /** Request headers it reads beside those of every operation: name -> what it means. All are optional. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True for an operation beside the promised thirty. */
  readonly extension?: true;
  /** A request that runs against the demo directory. */
  readonly example: { readonly params?: Record<string, string>; readonly query?: Record<string, unknown>; readonly body?: unknown };
}

/** Declares an operation. The value is the contract itself; nothing else repeats its strings. */
export function defineOperation<
  Reply extends z.ZodType,
  Params extends Shape = undefined,
  Query extends Shape = undefined,
  Body extends Shape = undefined,
>(contract: OperationContract<Params, Query, Body, Reply>): OperationContract<Params, Query, Body, Reply> {
  return contract;
}

type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined;

// biome-ignore lint/suspicious/noExplicitAny: a contract of any shape
export type AnyOperation = OperationContract<any, any, any, any>;

/** What a handler is given of the request: parsed, and only what the contract names. */
export interface RequestOf<C> {
  readonly params: C extends OperationContract<infer P, Shape, Shape> ? Parsed<P> : never;
  readonly query: C extends OperationContract<Shape, infer Q, Shape> ? Parsed<Q> : never;
  readonly body: C extends OperationContract<Shape, Shape, infer B> ? Parsed<B> : never;
}

/** What a handler returns: the body of the 200. */
export type ReplyOf<C> = C extends OperationContract<Shape, Shape, Shape, infer R> ? z.input<R> : never;
