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
import type { Pdf } from './pdf.ts';
import type { PolledReplies } from './polled-replies.ts';
import type { Refusals } from './refusals.ts';
import { requestIdOf } from './request.ts';
import {
  type AuthorisedCall,
  followLive,
  markAsReplayed,
  revalidate,
  runAndSend,
  runOnce,
  sendPdf,
  sendTable,
  tagOf,
} from './send-reply.ts';
import { mayFollow } from './stream-limits.ts';
import { expectedVersionOf } from './versions.ts';

/**
 * The input of an operation. `idempotencyKey` is the header as sent, for effects whose own key derives from it. `expectedVersion` is the
 * one that If-Match names; null for `*`, and for an operation that needs none. `markReplayed` marks the response as a repeat, recognised by
 * the key in its body. `header` is for the few operations whose contract names one.
 */
export interface OperationRequest<C> extends RequestOf<C> {
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  readonly expectedVersion: number | null;
  markReplayed(): void;
  header(name: string): string | undefined;
}

/** Returns the reply or throws a Problem; it never sees the response object. */
export type Operation<C, Context> = (request: OperationRequest<C>, context: Context) => Promise<ReplyOf<C>>;

/** An operation whose contract has `pdf`: returns a Pdf when the query asks for it. */
export type PrintableOperation<C, Context> = (request: OperationRequest<C>, context: Context) => Promise<ReplyOf<C> | Pdf>;

/** An operation whose contract is published and that is not built yet: it responds 501. */
export const notBuilt = Symbol('not built');

export type OperationsOf<Contracts, Context> = {
  readonly [K in keyof Contracts]: PrintableOperation<Contracts[K], Context> | typeof notBuilt;
};

// biome-ignore lint/suspicious/noExplicitAny: operations of any contracts
export type Operations<Context> = Readonly<Record<string, Operation<any, Context> | typeof notBuilt>>;

export interface HandlerOptions<Context> {
  readonly context: Context;
  readonly checkChange?: ((context: Context) => void) | undefined;
  readonly database: Database;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly idempotencyKey: 'optional' | 'required';
  readonly refusals: Refusals;
  readonly processLock: ProcessLock;
  readonly claims: OwnClaims;
  readonly live: LiveStreams;
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
    if (form === 'pdf') return await sendPdf(call);
    if (contract.unstored) response.setHeader('Cache-Control', 'no-store');
    const tag = contract.method === 'GET' ? tagOf(contract) : null;
    if (tag) return await revalidate(call, tag, options.polled);
    if (contract.replay === 'header' && idempotencyKey !== undefined) return await runOnce(call, idempotencyKey, options);
    await runAndSend(call);
  };
}

function formOf(contract: AnyOperation, request: Request): 'json' | 'stream' | 'table' | 'pdf' {
  const streams = contract.live !== undefined && mayFollow(request.get('accept'));
  if (streams && request.accepts(['json', 'text/event-stream']) === 'text/event-stream') return 'stream';
  if (contract.csv && (request.query.format === 'csv' || request.accepts(['json', 'text/csv']) === 'text/csv')) return 'table';
  if (contract.pdf && request.query.format === 'pdf') return 'pdf';
  if (!request.accepts('json')) throw new Problem('NOT_ACCEPTABLE');
  return 'json';
}

/**
 * Authenticates the caller, parses the request by its contract, and admits the caller to the store that it names. Throws the problems of
 * each step, and those of a missing or invalid key or version.
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
  const idempotencyKey = keyOf(contract, request, caller, options.idempotencyKey);
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

/** Anonymous callers share one principal and differ only by their keys, so a key must be too long to guess. */
const minAnonymousKeyLength = 20;

function keyOf(contract: AnyOperation, request: Request, caller: Caller, wanted: 'optional' | 'required'): string | undefined {
  const key = parseIdempotencyKey(request.get('idempotency-key'));
  if (key !== undefined && contract.replay === 'header' && caller.type === 'anonymous' && key.length < minAnonymousKeyLength)
    throw new Problem('VALIDATION_FAILED', {
      message: `Idempotency-Key must be at least ${minAnonymousKeyLength} characters when no token comes with it; a UUID serves.`,
    });
  if (key === undefined && contract.replay === 'header' && wanted === 'required') throw new Problem('IDEMPOTENCY_KEY_REQUIRED');
  return key;
}
