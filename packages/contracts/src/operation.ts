import type { z } from 'zod';
import type { Table } from './csv.ts';
import type { Deprecated } from './deprecation.ts';
import type { ProblemCode } from './problems.ts';
import type { PartnerScope, Role, ServiceName } from './vocabulary.ts';

/** The kinds of bearer token (the `typ` claim). A `partner` is a machine of another company that calls for a store. */
export type CallerType = 'customer' | 'merchant' | 'staff' | 'partner';

/** The callers that an operation accepts. With `optional`, a request without a token is accepted too. */
export interface CallerRule {
  readonly types: readonly Exclude<CallerType, 'partner'>[];
  readonly optional?: true;
  readonly scope?: 'merchant:read' | 'customer:read';
  /** The least role that a merchant or member of staff needs at the store of the request. Absent: any role. */
  readonly role?: Exclude<Role, 'staff'>;
  /** The scope that lets a partner in, in the place of `scope` and `role`, at the stores of its token. Absent: partners are refused. */
  readonly partner?: PartnerScope;
}

/** A merchant or member of staff whose token authorises the store in the request's `store_id`. */
export const merchant: CallerRule = { types: ['merchant', 'staff'] };
export const staff: CallerRule = merchant;
export const manager: CallerRule = { ...merchant, role: 'manager' };
export const owner: CallerRule = { ...merchant, role: 'owner' };
export const customer: CallerRule = { types: ['customer'] };
/** Any caller. A customer's token is recognised when it is sent. */
export const anyone: CallerRule = { types: ['customer'], optional: true };
/** Any caller: a customer, a guest without a token, or a member of staff for the store in the request. */
export const everyone: CallerRule = { types: ['customer', 'merchant', 'staff'], optional: true };
export const scoped = (rule: CallerRule, scope: NonNullable<CallerRule['scope']>): CallerRule => ({ ...rule, scope });

/** Opens an operation to partners with a scope. Its request must name the store. */
export const orPartner = (rule: CallerRule, partner: PartnerScope): CallerRule => ({ ...rule, partner });

/**
 * How an operation recognises a repeated request.
 * - `header`: by the Idempotency-Key header. The first response that is a success or a final refusal is kept for a day, and
 *   returned again, byte for byte. After any other response a repeat runs the operation.
 * - `body`: by a key in the body, under a unique constraint of the service. The response is built again, because it
 *   holds secrets that must not be stored.
 * - `none`: not at all; the operation only reads.
 */
export type Replay = 'header' | 'body' | 'none';

/**
 * A token bucket. `by` is the key of the bucket: the caller (the limit does not apply to an anonymous one), the network
 * address, or the address together with the store or with the OAuth client. With `counts: 'failures'` only 4xx responses take a token,
 * which stops guessing.
 */
export interface RateLimit {
  readonly by: 'principal' | 'address' | 'address+store' | 'address+client';
  readonly counts?: 'failures';
  readonly limit: number;
  readonly windowSeconds: number;
}

export interface FollowedAttributes {
  readonly storeid?: string;
  readonly customerid?: string;
  readonly type?: string;
}

type Shape = z.ZodType | undefined;

/** The services, gateway, client and reference are all built from operation contracts. */
export interface OperationContract<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly name: string;
  readonly service: ServiceName;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/api/v1/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly caller: CallerRule;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply: Reply;
  /** The operation's own problems. Those of every operation are in `commonProblems`. */
  readonly problems: readonly ProblemCode[];
  readonly replay: Replay;
  /**
   * With `replay: 'header'`, for a response that holds a secret: the response is not stored. A repeat runs the operation
   * again, and the operation finds what it created under the same key.
   */
  readonly unstored?: true;
  /** True for a change that no event publishes, of sessions or secrets: it is made also while its service refuses changes. */
  readonly unpublished?: true;
  /**
   * True for a token endpoint of OAuth clients (RFC 6749): the body may be a form too, and `client_id` and `client_secret` may come by HTTP
   * Basic in its place. Its refusals are RFC 6749's, of section 5.2.
   */
  readonly oauthClient?: true;
  /**
   * With `replay: 'header'`, for a reply that may say no in a 200: returns whether that reply is kept. One that is
   * not lets a repeat run the operation, as after a refusal that is not final. Absent: every reply is kept.
   */
  readonly keeps?: (reply: z.input<Reply>) => boolean;
  readonly limits?: readonly RateLimit[];
  /**
   * True for a read whose 200 carries an ETag. A request that names it in If-None-Match gets 304 without a body while the reply is the
   * same. Where its service polls by notes of changes, what time alone changes is found within half a minute; any change of data at once.
   */
  readonly revalidated?: true;
  /**
   * True for an operation on an object whose edits are counted: its reply has `version`, and its 200 the ETag `"<version>"`. A GET that
   * names it in If-None-Match gets 304. A PATCH needs it in If-Match, or `*`, and the operation refuses another version with
   * VERSION_CONFLICT.
   */
  readonly versioned?: true;
  /**
   * For a read that can be followed: a request that accepts `text/event-stream` gets the reply as a server-sent event at once, and again
   * whenever it has changed. Returns the attributes that the envelope of an event has when the event may change the reply, all of them;
   * null when no event can. What time alone changes is found within half a minute.
   */
  readonly live?: (reply: z.input<Reply>, caller: { readonly id: string }) => FollowedAttributes | null;
  /**
   * For a read that is also returned for a spreadsheet, as CSV: to a request that accepts `text/csv`, or whose query has `format=csv`.
   * Returns the reply as a table.
   */
  readonly csv?: (reply: z.output<Reply>) => Table;
  /** True for a read that is also returned to be printed: to a request whose query has `format=pdf`, its operation returns a Pdf. */
  readonly pdf?: true;
  readonly headers?: Readonly<Record<string, string>>;
  readonly deprecated?: Deprecated;
  /** True for an operation that is not one of the thirty in the interface. */
  readonly extension?: true;
  /** Works with the data of the demo directory. */
  readonly example: { readonly params?: Record<string, string>; readonly query?: Record<string, unknown>; readonly body?: unknown };
}

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

/** Fields that the contract does not name are absent. */
export interface RequestOf<C> {
  readonly params: C extends OperationContract<infer P, Shape, Shape> ? Parsed<P> : never;
  readonly query: C extends OperationContract<Shape, infer Q, Shape> ? Parsed<Q> : never;
  readonly body: C extends OperationContract<Shape, Shape, infer B> ? Parsed<B> : never;
}

export type ReplyOf<C> = C extends OperationContract<Shape, Shape, Shape, infer R> ? z.input<R> : never;
