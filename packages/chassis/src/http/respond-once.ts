import { isFinal, Problem, type ProblemCode } from '@corner/contracts';
import type { Request } from 'express';
import type { Database } from '../database/database.ts';
import { envelopeOfProblem } from './bodies.ts';
import { type Claim, claim, type KeyedRequest, release, releaseLost, type StoredResponse, storeResponse, unstored } from './idempotency.ts';
import type { OwnClaims } from './own-claims.ts';
import { problemOf } from './problem-response.ts';
import { recordRefusal } from './record-refusal.ts';
import type { Refusals } from './refusals.ts';
import { requestIdOf } from './request.ts';

interface OnceOptions {
  readonly database: Database;
  readonly refusals: Refusals;
  readonly claims: OwnClaims;
  readonly request: Request;
}

export interface OperationResponse extends StoredResponse {
  readonly kept: boolean;
}

/**
 * Runs an operation once for its Idempotency-Key. A repeat gets the stored response, or runs again where the body was not stored. Throws
 * the errors of `run`, IDEMPOTENCY_IN_PROGRESS and IDEMPOTENCY_KEY_REUSED.
 */
export const respondOnce = (
  options: OnceOptions,
  keyed: KeyedRequest,
  run: () => Promise<OperationResponse>,
): Promise<StoredResponse & { readonly replayed: boolean }> => options.claims.run(keyed, () => respond(options, keyed, run));

async function respond(
  options: OnceOptions,
  keyed: KeyedRequest,
  run: () => Promise<OperationResponse>,
): Promise<StoredResponse & { readonly replayed: boolean }> {
  const { database, claims } = options;
  const claimed = await claim(database, keyed).catch((error: unknown) => {
    // The claim may be made, and its response lost.
    if (!(error instanceof Problem)) claims.settleLater(async () => !claims.runs(keyed) && (await releaseLost(database, keyed)));
    throw error;
  });
  if (claimed === unstored) return { ...(await run()), replayed: true };
  if ('until' in claimed) return { ...(await runClaimed(options, keyed, claimed, run)), replayed: false };
  const refusal = refusalIn(claimed);
  if (refusal) recordRefusal(options.refusals, options.request, refusal, ' It was refused so before, under the same Idempotency-Key.');
  return { ...withRequestId(claimed, requestIdOf(options.request)), replayed: true };
}

/**
 * Stores a success and a final refusal; releases the key after anything else. The caller gets the operation's result whatever happens to
 * the key.
 */
async function runClaimed(
  { database, claims, request }: OnceOptions,
  keyed: KeyedRequest,
  claimed: Claim,
  run: () => Promise<OperationResponse>,
): Promise<StoredResponse> {
  const settle = (write: () => Promise<void>) => write().catch(() => claims.settleLater(() => write().then(() => true)));
  let response: OperationResponse;
  try {
    response = await run();
  } catch (error) {
    const problem = problemOf(error);
    const refusal = () => ({ status: problem.status, body: JSON.stringify(envelopeOfProblem(problem, requestIdOf(request))) });
    await settle(() => (isFinal(problem) ? storeResponse(database, keyed, claimed, refusal()) : release(database, keyed, claimed)));
    throw error;
  }
  if (!response.kept) {
    await settle(() => release(database, keyed, claimed));
    return response;
  }
  // The operation is done: releasing the key from here on would let a repeat run it a second time.
  await settle(() => storeResponse(database, keyed, claimed, response));
  return response;
}

function refusalIn({ status, body }: StoredResponse): Problem | null {
  if (status < 400) return null;
  const { error } = JSON.parse(body) as { error: { code: ProblemCode; message: string } };
  return new Problem(error.code, { message: error.message });
}

function withRequestId(response: StoredResponse, requestId: string): StoredResponse {
  if (response.status < 400) return response;
  const { error } = JSON.parse(response.body) as { error: { code: string; message: string } };
  return { status: response.status, body: JSON.stringify({ error: { ...error, requestId } }) };
}
