import { type AnyOperation, csvOf, deprecationHeaders, Problem, type ReplyOf, type RequestOf, type Table } from '@corner/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { type Authenticate, admit, admitToStore, type Caller } from '../auth/caller.ts';
import type { Database } from '../database/database.ts';
import type { ProcessLock } from '../database/process-lock.ts';
import { addLogFields, type Log } from '../telemetry/log.ts';
import { annotateSpan, searchAttributes } from '../telemetry/search-attributes.ts';
import { etagOf, isNamedBy } from './bodies.ts';
import { type Following, followReply } from './follow-reply.ts';
import { fingerprintOf, type KeyedRequest, parseIdempotencyKey, type StoredResponse } from './idempotency.ts';
import type { LiveStreams } from './live-streams.ts';
import type { OwnClaims } from './own-claims.ts';
import { parseRequest, storeOf } from './parse-request.ts';
import type { Poll, PolledReplies } from './polled-replies.ts';
import type { Refusals } from './refusals.ts';
import { requestIdOf } from './request.ts';
import { type OperationResponse, respondOnce } from './respond-once.ts';
import { mayFollow } from './stream-limits.ts';
import { expectedVersionOf, versionTagOf } from './versions.ts';

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
    const streams = contract.live !== undefined && mayFollow(request.get('accept'));
    const follows = streams && request.accepts(['json', 'text/event-stream']) === 'text/event-stream';
    const asTable = contract.csv !== undefined && (request.query.format === 'csv' || request.accepts(['json', 'text/csv']) === 'text/csv');
    if (!follows && !asTable && !request.accepts('json')) throw new Problem('NOT_ACCEPTABLE');
    if (operation === notBuilt) throw new Problem('NOT_IMPLEMENTED');
    const authenticated = async () => admit(contract.caller, await options.authenticate(request.get('authorization')));
    const caller = await authenticated();
    const parsed = parseRequest(contract, request);
    const storeId = storeOf(parsed);
    nameInTelemetry(caller, parsed, storeId);
    admitToStore(contract.caller, caller, storeId);
    const idempotencyKey = keyOf(contract, request, caller, options.idempotencyKey);
    const expectedVersion = expectedVersionOf(contract, request);
    const markReplayed = () => {
      annotateSpan(() => ({ 'corner.idempotent.replayed': true }));
      response.setHeader('Idempotent-Replayed', 'true');
    };
    const given = { ...parsed, caller, requestId: requestIdOf(request), idempotencyKey, expectedVersion, markReplayed };
    const replyOf = () => {
      if (contract.method !== 'GET' && !contract.unpublished) options.checkChange?.(options.context);
      return operation({ ...given, header: (name) => request.get(name) }, options.context);
    };
    const write = (reply: ReplyOf<AnyOperation>): OperationResponse => {
      annotateSpan(() => searchAttributes(reply));
      return { status: 200, body: JSON.stringify(contract.reply.parse(reply)), kept: contract.keeps?.(reply) ?? true };
    };
    const run = async () => write(await replyOf());
    if (follows) {
      const read = async () => {
        await authenticated();
        const reply = await replyOf();
        return { body: JSON.stringify(contract.reply.parse(reply)), attributes: contract.live?.(reply, caller) ?? null };
      };
      return await follow(request, response, { ...options, caller, read });
    }
    if (asTable && contract.csv) return sendTable(response, contract.csv(contract.reply.parse(await replyOf())));
    // A secret is kept nowhere on its way either.
    if (contract.unstored) response.setHeader('Cache-Control', 'no-store');
    const tagOf = contract.versioned ? versionTagOf : contract.revalidated ? etagOf : null;
    if (tagOf && contract.method === 'GET') {
      const poll = await pollOf(contract, request, caller, options.polled);
      if (poll?.unchanged) return sendUnchanged(response, poll.unchanged);
      const reply = await replyOf();
      const { body } = write(reply);
      const etag = tagOf(body);
      const followed = contract.live?.(reply, caller);
      // A reply that no event can change shows nothing yet, of no store: what it would show is not known.
      if (followed !== null) poll?.remember(etag, [caller.id, storeId, followed?.storeid, followed?.customerid]);
      return isNamedBy(request.get('if-none-match'), etag) ? sendUnchanged(response, etag) : sendTagged(response, body, etag);
    }
    if (contract.replay !== 'header' || idempotencyKey === undefined) return send(response, await run(), tagOf);
    const keyed = keyedRequest(contract, request, caller, { key: idempotencyKey, holder: options.processLock.id });
    const { replayed, ...result } = await respondOnce({ ...options, request }, keyed, run);
    if (replayed) markReplayed();
    send(response, result, tagOf);
  };
}

function nameInTelemetry({ type, id }: Caller, { params, query, body }: RequestOf<AnyOperation>, storeId: string | undefined): void {
  annotateSpan(() => ({ ...(type === 'customer' ? { 'corner.customer.id': id } : {}), ...searchAttributes(params, query, body) }));
  if (storeId) addLogFields({ store_id: storeId });
  if (type === 'partner') {
    annotateSpan(() => ({ 'corner.partner.id': id }));
    addLogFields({ partner_id: id });
  }
}

function follow(
  request: Request,
  response: Response,
  { live, caller, read }: Pick<Following, 'live' | 'read'> & { readonly caller: Caller },
) {
  const address = request.get('x-forwarded-for') ?? '';
  return followReply({ response, live, read, caller: { ...caller, address }, lastEventId: request.get('last-event-id') });
}

const keyedRequest = (
  { name, unstored, versioned }: AnyOperation,
  request: Request,
  { type, id }: Caller,
  claim: Pick<KeyedRequest, 'key' | 'holder'>,
): KeyedRequest => ({
  principal: `${type}:${id}`,
  operation: name,
  // A change of some fields: null removes a value, and what is absent stays.
  fingerprint: fingerprintOf(request.method, request.path, request.body, versioned ? 'kept' : 'dropped'),
  unstored: unstored ?? false,
  ...claim,
});

/** Anonymous callers share one principal and differ by their keys alone, so a key must be too long to guess. */
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

/** Sends JSON without express's `send`, which would turn a response into a 304 when the caller names a cached copy. A success gets its tag. */
function send(response: Response, { status, body }: StoredResponse, tagOf: TagOf | null): void {
  const bytes = Buffer.from(body);
  if (tagOf && status === 200) response.set('ETag', tagOf(body));
  response.status(status).type('application/json').set('Content-Length', String(bytes.length)).end(bytes);
}

/** Sends a table as a file for a spreadsheet. */
function sendTable(response: Response, { name, rows }: Table): void {
  const bytes = Buffer.from(csvOf(rows));
  response.set({ 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${name}.csv"` });
  response.set('Content-Length', String(bytes.length)).end(bytes);
}

/** Begins a poll of a reply that the caller may have already; null for a read in full, and for one whose reply no note of changes covers. */
async function pollOf(contract: AnyOperation, request: Request, caller: Caller, polled: PolledReplies | null): Promise<Poll | null> {
  const ifNoneMatch = request.get('if-none-match');
  if (ifNoneMatch === undefined || !polled?.cover(contract)) return null;
  return await polled.poll({ caller, url: request.originalUrl, ifNoneMatch });
}

/** The caller may keep the reply, and revalidates it each time. */
const tagged = (response: Response, etag: string): Response => response.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });

const sendUnchanged = (response: Response, etag: string): void => void tagged(response, etag).status(304).end();

const sendTagged = (response: Response, body: string, etag: string): void => send(tagged(response, etag), { status: 200, body }, null);

type TagOf = (body: string) => string;
