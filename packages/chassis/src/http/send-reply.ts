import { type AnyOperation, csvOf, type ReplyOf } from '@corner/contracts';
import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import type { Database } from '../database/database.ts';
import type { ProcessLock } from '../database/process-lock.ts';
import { annotateSpan, searchAttributes } from '../telemetry/search-attributes.ts';
import { etagOf, isNamedBy } from './bodies.ts';
import { followReply } from './follow-reply.ts';
import { fingerprintOf, type KeyedRequest, type StoredResponse } from './idempotency.ts';
import type { LiveStreams } from './live-streams.ts';
import type { OwnClaims } from './own-claims.ts';
import { Pdf } from './pdf.ts';
import type { Poll, PolledReplies } from './polled-replies.ts';
import type { Refusals } from './refusals.ts';
import { type OperationResponse, respondOnce } from './respond-once.ts';
import { versionTagOf } from './versions.ts';

export interface AuthorisedCall {
  readonly contract: AnyOperation;
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  readonly storeId: string | undefined;
  readonly authenticate: () => Promise<Caller>;
  readonly run: () => Promise<ReplyOf<AnyOperation>>;
}

export async function followLive({ contract, request, response, caller, authenticate, run }: AuthorisedCall, live: LiveStreams) {
  const read = async () => {
    await authenticate();
    const reply = await run();
    return { body: bodyOf(contract, reply), attributes: contract.live?.(reply, caller) ?? null };
  };
  const address = request.get('x-forwarded-for') ?? '';
  await followReply({ response, live, read, caller: { ...caller, address }, lastEventId: request.get('last-event-id') });
}

export async function sendTable({ contract, response, run }: AuthorisedCall): Promise<void> {
  const table = contract.csv?.(contract.reply.parse(await run()));
  if (!table) throw new TypeError(`${contract.name} has no table.`);
  sendFile(response, { type: 'text/csv; charset=utf-8', name: `${table.name}.csv`, bytes: Buffer.from(csvOf(table.rows)) });
}

export async function sendPdf({ contract, response, run }: AuthorisedCall): Promise<void> {
  const reply: unknown = await run();
  if (!(reply instanceof Pdf)) throw new TypeError(`${contract.name} returned no PDF.`);
  sendFile(response, { type: 'application/pdf', name: `${reply.name}.pdf`, bytes: reply.bytes });
}

function sendFile(
  response: Response,
  { type, name, bytes }: { readonly type: string; readonly name: string; readonly bytes: Buffer },
): void {
  response.set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
  response.set('Content-Length', String(bytes.length)).end(bytes);
}

/** Sends a reply that the caller may keep and revalidates each time: 304 when it has it already. */
export async function revalidate(call: AuthorisedCall, tag: (body: string) => string, polled: PolledReplies | null): Promise<void> {
  const { contract, request, response, caller, storeId } = call;
  const poll = await pollOf(call, polled);
  if (poll?.unchanged) return sendUnchanged(response, poll.unchanged);
  const reply = await call.run();
  const { body } = written(contract, reply);
  const etag = tag(body);
  const followed = contract.live?.(reply, caller);
  // A reply that no event can change shows nothing yet, so the store it depends on is not known.
  if (followed !== null) poll?.remember(etag, [caller.id, storeId, followed?.storeid, followed?.customerid]);
  if (isNamedBy(request.get('if-none-match'), etag)) return sendUnchanged(response, etag);
  sendBytes(tagged(response, etag), { status: 200, body });
}

async function pollOf({ contract, request, caller }: AuthorisedCall, polled: PolledReplies | null): Promise<Poll | null> {
  const ifNoneMatch = request.get('if-none-match');
  if (ifNoneMatch === undefined || !polled?.cover(contract)) return null;
  return await polled.poll({ caller, url: request.originalUrl, ifNoneMatch });
}

const tagged = (response: Response, etag: string): Response => response.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });

const sendUnchanged = (response: Response, etag: string): void => void tagged(response, etag).status(304).end();

interface OnceOptions {
  readonly database: Database;
  readonly refusals: Refusals;
  readonly claims: OwnClaims;
  readonly processLock: ProcessLock;
}

export async function runOnce(call: AuthorisedCall, key: string, { processLock, ...options }: OnceOptions): Promise<void> {
  const { contract, request, response } = call;
  const keyed = keyedRequest(call, { key, holder: processLock.id });
  const { replayed, ...result } = await respondOnce({ ...options, request }, keyed, () => runAndWrite(call));
  if (replayed) markAsReplayed(response);
  send(contract, response, result);
}

const keyedRequest = ({ contract, request, caller }: AuthorisedCall, claim: Pick<KeyedRequest, 'key' | 'holder'>): KeyedRequest => ({
  principal: `${caller.type}:${caller.id}`,
  operation: contract.name,
  // In a change of some fields, null removes a value, and an absent field stays.
  fingerprint: fingerprintOf(request.method, request.path, request.body, contract.versioned ? 'kept' : 'dropped'),
  unstored: contract.unstored ?? false,
  ...claim,
});

export function markAsReplayed(response: Response): void {
  annotateSpan(() => ({ 'corner.idempotent.replayed': true }));
  response.setHeader('Idempotent-Replayed', 'true');
}

export async function runAndSend(call: AuthorisedCall): Promise<void> {
  send(call.contract, call.response, await runAndWrite(call));
}

const runAndWrite = async ({ contract, run }: AuthorisedCall): Promise<OperationResponse> => written(contract, await run());

function written(contract: AnyOperation, reply: ReplyOf<AnyOperation>): OperationResponse {
  annotateSpan(() => searchAttributes(reply));
  return { status: 200, body: bodyOf(contract, reply), kept: contract.keeps?.(reply) ?? true };
}

const bodyOf = (contract: AnyOperation, reply: ReplyOf<AnyOperation>): string => JSON.stringify(contract.reply.parse(reply));

function send(contract: AnyOperation, response: Response, { status, body }: StoredResponse): void {
  const etag = status === 200 ? tagOf(contract)?.(body) : undefined;
  if (etag !== undefined) response.set('ETag', etag);
  sendBytes(response, { status, body });
}

/** Sends JSON without express's `send`, which would turn a response into a 304 when the caller names a cached copy. */
function sendBytes(response: Response, { status, body }: StoredResponse): void {
  const bytes = Buffer.from(body);
  response.status(status).type('application/json').set('Content-Length', String(bytes.length)).end(bytes);
}

export const tagOf = ({ versioned, revalidated }: AnyOperation): ((body: string) => string) | null =>
  versioned ? versionTagOf : revalidated ? etagOf : null;
