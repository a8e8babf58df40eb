import { type AnyOperation, deprecationHeaders, Problem, type ReplyOf, type RequestOf } from '@corner/contracts';
import type { Request, RequestHandler } from 'express';
import { type Authenticate, admit, admitToStore, type Caller } from '../auth/caller.ts';
import type { Database } from '../database/database.ts';
import type { ProcessLock } from '../database/process-lock.ts';
import { addLogFields, type Log } from '../telemetry/log.ts';
import { annotateSpan, searchAttributes } from '../telemetry/search-attributes.ts';
import { parseIdempotencyKey } from './idempotency.ts';
import type { LiveStreams } from './live-streams.ts';
import type { OwnClaims } from './own-claims.ts';
import { parseRequest, storeOf } from './parse-request.ts';
import type { PolledReplies } from './polled-replies.ts';
import type { Refusals } from './refusals.ts';
import { requestIdOf } from './request.ts';
import { type AuthorisedCall, followLive, markAsReplayed, revalidate, runAndSend, runOnce, sendTable, tagOf } from './send-reply.ts';
import { mayFollow } from './stream-limits.ts';
import { expectedVersionOf } from './versions.ts';

/** The input of an operation: its caller and the parsed parts of the request. */
export interface OperationRequest<C> extends RequestOf<C> {
  readonly caller: Caller;
  readonly requestId: string;
  /** The Idempotency-Key header as sent, for effects whose own key derives from it. */
  readonly idempotencyKey: string | undefined;
  /** The version that If-Match names, of a change that needs one. Null for `*`, and for every other operation. */
  readonly expectedVersion: number | null;
  /** Says that this repeats an earlier request, by the key in its body: the response gets Idempotent-Replayed. */
  markReplayed(): void;
  /** Another header, for the few operations whose contract names one. */
  header(name: string): string | undefined;
}

/** An HTTP operation. It returns the reply or throws a Problem; it never sees the response object. */
export type Operation<C, Context> = (request: OperationRequest<C>, context: Context) => Promise<ReplyOf<C>>;

/** Stands in `operations` for an operation whose contract is published and that is not built: it responds 501. */
export const notBuilt = Symbol('not built');

/** A service's operations: one entry for every contract, or the compiler names the missing one. */
export type OperationsOf<Contracts, Context> = { readonly [K in keyof Contracts]: Operation<Contracts[K], Context> | typeof notBuilt };

// biome-ignore lint/suspicious/noExplicitAny: operations of any contracts
export type Operations<Context> = Readonly<Record<string, Operation<any, Context> | typeof notBuilt>>;

export interface HandlerOptions<Context> {
  readonly context: Context;
  /** Throws when the service refuses changes at the moment. */
  readonly checkChange?: ((context: Context) => void) | undefined;
  readonly database: Database;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly idempotencyKey: 'optional' | 'required';
  readonly refusals: Refusals;
  readonly processLock: ProcessLock;
  readonly claims: OwnClaims;
  readonly live: LiveStreams;
  /** Null for a service that notes no changes: each poll reads the reply. */
  readonly polled: PolledReplies | null;
}

/** Returns the pipeline of an operation: authenticate, parse, authorise the store, claim the Idempotency-Key, run, respond. */
export function handlerOf<Context>(
  contract: AnyOperation,
  operation: Operation<AnyOperation, Context> | typeof notBuilt,
  options: HandlerOptions<Context>,
): RequestHandler {
  const deprecation = contract.deprecated ? deprecationHeaders(contract.name, contract.deprecated) : {};
  return async (request, response) => {
    response.set(deprecation);
    const form = formOf(contract, request);
    if (operation === notBuilt) throw new Problem('NOT_IMPLEMENTED');
    const { call, idempotencyKey } = await authorise({ contract, request, response }, operation, options);
    if (form === 'stream') return await followLive(call, options.live);
    if (form === 'table') return await sendTable(call);
    // A secret is kept nowhere on its way either.
    if (contract.unstored) response.setHeader('Cache-Control', 'no-store');
    const tag = contract.method === 'GET' ? tagOf(contract) : null;
    if (tag) return await revalidate(call, tag, options.polled);
    if (contract.replay === 'header' && idempotencyKey !== undefined) return await runOnce(call, idempotencyKey, options);
    await runAndSend(call);
  };
}

/** Returns the form of the reply that the caller asks for. Throws NOT_ACCEPTABLE when the operation has none of those. */
function formOf(contract: AnyOperation, request: Request): 'json' | 'stream' | 'table' {
  const streams = contract.live !== undefined && mayFollow(request.get('accept'));
  if (streams && request.accepts(['json', 'text/event-stream']) === 'text/event-stream') return 'stream';
  if (contract.csv && (request.query.format === 'csv' || request.accepts(['json', 'text/csv']) === 'text/csv')) return 'table';
  if (!request.accepts('json')) throw new Problem('NOT_ACCEPTABLE');
  return 'json';
}

/**
 * Authenticates the caller, parses the request by its contract, and admits the caller to the store that it names. Throws the problems of
 * each of these, and those of a key or a version that is missing or is none.
 */
async function authorise<Context>(
  { contract, request, response }: Pick<AuthorisedCall, 'contract' | 'request' | 'response'>,
  operation: Operation<AnyOperation, Context>,
  options: HandlerOptions<Context>,
): Promise<{ readonly call: AuthorisedCall; readonly idempotencyKey: string | undefined }> {
  const authenticate = async () => admit(contract.caller, await options.authenticate(request.get('authorization')));
  const caller = await authenticate();
  const parsed = parseRequest(contract, request);
  const storeId = storeOf(parsed);
  nameInTelemetry(caller, parsed, storeId);
  admitToStore(contract.caller, caller, storeId);
  const idempotencyKey = keyOf(contract, request, caller, options);
  const expectedVersion = expectedVersionOf(contract, request);
  const markReplayed = () => markAsReplayed(response);
  const given = { ...parsed, caller, requestId: requestIdOf(request), idempotencyKey, expectedVersion, markReplayed };
  const run = () => {
    if (contract.method !== 'GET' && !contract.unpublished) options.checkChange?.(options.context);
    return operation({ ...given, header: (name) => request.get(name) }, options.context);
  };
  return { call: { contract, request, response, caller, storeId, authenticate, run }, idempotencyKey };
}

function nameInTelemetry({ type, id }: Caller, { params, query, body }: RequestOf<AnyOperation>, storeId: string | undefined): void {
  annotateSpan(() => ({ ...(type === 'customer' ? { 'corner.customer.id': id } : {}), ...searchAttributes(params, query, body) }));
  if (storeId) addLogFields({ store_id: storeId });
  if (type === 'partner') {
    annotateSpan(() => ({ 'corner.partner.id': id }));
    addLogFields({ partner_id: id });
  }
}

/** Anonymous callers share one principal and differ by their keys alone, so a key must be too long to guess. */
const minAnonymousKeyLength = 20;

function keyOf(contract: AnyOperation, request: Request, caller: Caller, { idempotencyKey }: Pick<HandlerOptions<unknown>, 'idempotencyKey'>): string | undefined {
  const key = parseIdempotencyKey(request.get('idempotency-key'));
  if (key !== undefined && contract.replay === 'header' && caller.type === 'anonymous' && key.length < minAnonymousKeyLength)
    throw new Problem('VALIDATION_FAILED', {
      message: `Idempotency-Key must be at least ${minAnonymousKeyLength} characters when no token comes with it; a UUID serves.`,
    });
  if (key === undefined && contract.replay === 'header' && idempotencyKey === 'required') throw new Problem('IDEMPOTENCY_KEY_REQUIRED');
  return key;
}
