import { type AnyOperation, Problem, type ProblemCode, type ReplyOf, type RequestOf } from '@corner/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { type Authenticate, admit, admitToStore, type Caller } from '../auth/caller.ts';
import type { Database } from '../database/database.ts';
import { addLogFields, type Log } from '../telemetry/log.ts';
import {
  type Claim,
  claim,
  fingerprintOf,
  isKept,
  type KeyedRequest,
  parseIdempotencyKey,
  release,
  type StoredResponse,
  storeResponse,
  unstored,
} from './idempotency.ts';
import { noteRefusal } from './note-refusal.ts';
import { parseRequest } from './parse-request.ts';
import { envelopeOfProblem } from './problem-envelope.ts';
import { problemOf } from './problem-response.ts';
import type { Refusals } from './refusals.ts';
import { requestIdOf } from './request.ts';

/** What an operation is handed: who calls, and what they asked, parsed. */
export interface OperationRequest<C> extends RequestOf<C> {
  readonly caller: Caller;
  readonly requestId: string;
  /** The Idempotency-Key header as sent, for effects whose own key derives from it. */
  readonly idempotencyKey: string | undefined;
  /** Another header, for the few operations whose contract names one. */
  header(name: string): string | undefined;
}

/** One deed somebody asks for. It returns the reply or throws a Problem; it never sees the response. */
export type Operation<C, Context> = (request: OperationRequest<C>, context: Context) => Promise<ReplyOf<C>>;

/** Stands in the table of operations for one that is promised and not built: it answers 501. */
export const notBuilt = Symbol('not built');

/** A service's table of operations: one entry for every contract, or the compiler says which is missing. */
export type OperationsOf<Contracts, Context> = { readonly [K in keyof Contracts]: Operation<Contracts[K], Context> | typeof notBuilt };

// biome-ignore lint/suspicious/noExplicitAny: the table as the server sees it, whatever its contracts
export type Operations<Context> = Readonly<Record<string, Operation<any, Context> | typeof notBuilt>>;

interface HandlerOptions<Context> {
  readonly context: Context;
  readonly database: Database;
  readonly authenticate: Authenticate;
  readonly log: Log;
  readonly idempotencyKey: 'optional' | 'required';
  readonly refusals: Refusals;
}

/** The corridor every operation walks: who calls, what they ask, whether it was answered before, the deed, the answer. */
export function handlerOf<Context>(
  contract: AnyOperation,
  operation: Operation<AnyOperation, Context> | typeof notBuilt,
  options: HandlerOptions<Context>,
): RequestHandler {
  return async (request, response) => {
    if (!request.accepts('json')) throw new Problem('NOT_ACCEPTABLE');
    if (operation === notBuilt) throw new Problem('NOT_IMPLEMENTED');
    const caller = admit(contract.caller, await options.authenticate(request.get('authorization')));
    const parsed = parseRequest(contract, request);
    const storeId = storeOf(parsed);
    if (storeId) addLogFields({ store_id: storeId });
    admitToStore(caller, storeId);
    const idempotencyKey = keyOf(contract, request, caller, options);
    const work = async (): Promise<StoredResponse> => {
      const reply = await operation(
        { ...parsed, caller, requestId: requestIdOf(request), idempotencyKey, header: (name) => request.get(name) },
        options.context,
      );
      return { status: 200, body: JSON.stringify(contract.reply.parse(reply)) };
    };
    if (contract.replay !== 'header' || idempotencyKey === undefined) return send(response, await work());
    const keyed = {
      principal: `${caller.type}:${caller.id}`,
      operation: contract.name,
      key: idempotencyKey,
      fingerprint: fingerprintOf(request.method, request.path, request.body),
      unstored: contract.unstored ?? false,
    };
    const claimed = await claim(options.database, keyed);
    if (claimed === unstored) {
      const answer = await work();
      response.setHeader('Idempotent-Replayed', 'true');
      return send(response, answer);
    }
    if ('status' in claimed) {
      response.setHeader('Idempotent-Replayed', 'true');
      const refusal = refusalIn(claimed);
      if (refusal) noteRefusal(options.refusals, request, refusal, ' It was refused so before, under the same Idempotency-Key.');
      return send(response, replayed(claimed, requestIdOf(request)));
    }
    return send(response, await respondOnce(options, keyed, claimed, work, requestIdOf(request)));
  };
}

/** Does the work under a claimed key and keeps the answer, also when it is a refusal that a repeat must get again. */
async function respondOnce(
  { database, log }: Pick<HandlerOptions<unknown>, 'database' | 'log'>,
  keyed: KeyedRequest,
  claimed: Claim,
  work: () => Promise<StoredResponse>,
  requestId: string,
): Promise<StoredResponse> {
  // Whatever becomes of the key, the caller is told what became of the work. A claim that stays behind lapses.
  const noted = (error: unknown) => log.error({ err: error }, 'an idempotent answer could not be kept');
  let answer: StoredResponse;
  try {
    answer = await work();
  } catch (error) {
    const problem = problemOf(error);
    const refusal = () => ({ status: problem.status, body: JSON.stringify(envelopeOfProblem(problem, requestId)) });
    await (isKept(problem.status) ? storeResponse(database, keyed, claimed, refusal()) : release(database, keyed, claimed)).catch(noted);
    throw error;
  }
  // The work is done: from here on the key is never let go, or a repeat would do it a second time.
  const keep = () => storeResponse(database, keyed, claimed, answer);
  await keep().catch(keep).catch(noted);
  return answer;
}

/** Two callers nobody knows are told apart by their keys alone, and one must not be answered with the other's credential. */
const shortestUnguessable = 20;

function keyOf(contract: AnyOperation, request: Request, caller: Caller, { idempotencyKey }: HandlerOptions<unknown>): string | undefined {
  const key = parseIdempotencyKey(request.get('idempotency-key'));
  if (key !== undefined && contract.replay === 'header' && caller.type === 'anonymous' && key.length < shortestUnguessable)
    throw new Problem('VALIDATION_FAILED', {
      message: `Idempotency-Key must be at least ${shortestUnguessable} characters when no token comes with it; a UUID serves.`,
    });
  if (key === undefined && contract.replay === 'header' && idempotencyKey === 'required') throw new Problem('IDEMPOTENCY_KEY_REQUIRED');
  return key;
}

/** The refusal a kept answer is; null when it is none. */
function refusalIn({ status, body }: StoredResponse): Problem | null {
  if (status < 400) return null;
  const { error } = JSON.parse(body) as { error: { code: ProblemCode; message: string } };
  return new Problem(error.code, { message: error.message });
}

/** A refusal given again is the same refusal, under the id of the request that asked this time. */
function replayed(answer: StoredResponse, requestId: string): StoredResponse {
  if (answer.status < 400) return answer;
  const { error } = JSON.parse(answer.body) as { error: { code: string; message: string } };
  return { status: answer.status, body: JSON.stringify({ error: { ...error, requestId } }) };
}

/** Ends the answer itself: express's own send turns one into a 304 when the caller names a copy, and there are none. */
function send(response: Response, { status, body }: StoredResponse): void {
  const bytes = Buffer.from(body);
  response.status(status).type('application/json').set('Content-Length', String(bytes.length)).end(bytes);
}

/** Merchant requests name their store in the query or the body. */
function storeOf({ query, body }: { readonly query: unknown; readonly body: unknown }): string | undefined {
  for (const part of [query, body]) {
    const value = (part as { store_id?: unknown } | undefined)?.store_id;
    if (typeof value === 'string') return value;
  }
  return undefined;
}
