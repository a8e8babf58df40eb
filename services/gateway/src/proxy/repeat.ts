import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AnyOperation } from '@corner/contracts';
import { faultOf } from './replicas.ts';

/** Bytes of a body that are kept until the response begins, so that the request can be sent again. */
const keptBytes = 64 * 1024;

/**
 * Returns whether a request may be sent a second time when it is unknown what became of the first: it changes nothing (a GET), or the
 * service runs it once however often it comes (an Idempotency-Key, or the key in the body).
 */
export function isRepeatable({ method, headers }: IncomingMessage, operation: AnyOperation | undefined, hasBody: boolean): boolean {
  if (method === 'GET') return !hasBody;
  if (operation?.replay === 'body') return true;
  return operation?.replay === 'header' && headers['idempotency-key'] !== undefined;
}

/** Returns whether a body is small enough to be kept. One whose length is not announced may be of any length. */
export function isKept({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length !== undefined && Number(length) <= keptBytes;
}

/** Returns whether an error says that the replica cannot be reached or has died, rather than that this one request is wrong. */
export const isReplicaFault = (error: unknown): boolean => neverSent.has(faultOf(error)) || connectionEnded.has(faultOf(error));

/**
 * Returns why a request that got no response may be sent again. `refused`: no connection was made, so the service knows nothing of it.
 * `lost`: the connection ended before any response, as it does when a process dies. Null when it may not.
 */
export function reasonToRepeat(error: unknown, { started, repeatable }: { started: boolean; repeatable: boolean }): RepeatReason | null {
  if (!started) return isReplicaFault(error) ? 'refused' : null;
  return repeatable && connectionEnded.has(faultOf(error)) ? 'lost' : null;
}

/**
 * Returns the seconds after which to ask again for the result of a request that is in progress; null when the response says something
 * else. The service runs on after it lost its connection, and Postgres may hold its claim for a moment after it died.
 */
export function secondsUntilDone(headers: IncomingHttpHeaders, body: Buffer): number | null {
  const retryAfter = Number(headers['retry-after']);
  return codeOf(body) === 'IDEMPOTENCY_IN_PROGRESS' && retryAfter > 0 ? retryAfter : null;
}

/** Returns the code of the problem that a response body holds; undefined for another body. */
function codeOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())?.error?.code;
  } catch {
    return undefined;
  }
}

/** Codes of a connection that could not be made. */
const neverSent = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Codes of a connection that closed before any response. */
const connectionEnded = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** `in_progress`: the service has not finished the attempt that was lost. */
export type RepeatReason = 'refused' | 'lost' | 'in_progress';
