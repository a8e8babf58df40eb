import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parseJson } from '@corner/chassis/edge';
import type { AnyOperation } from '@corner/contracts';
import { faultOf, neverSent } from './replicas.ts';

/** Returns whether a request may be sent twice: a GET, or one that the service runs once by its Idempotency-Key or the key in its body. */
export function isRepeatable({ method, headers }: IncomingMessage, operation: AnyOperation | undefined, hasBody: boolean): boolean {
  if (method === 'GET') return !hasBody;
  if (operation?.replay === 'body') return true;
  return operation?.replay === 'header' && headers['idempotency-key'] !== undefined;
}

/** True when the replica is unreachable or dead; false when this request is wrong. */
export const isReplicaFault = (error: unknown): boolean => neverSent.has(faultOf(error)) || connectionEnded.has(faultOf(error));

/**
 * Returns why a request without a response may be sent again; null when it may not. `refused`: no connection was made; `lost`: the
 * connection ended first.
 */
export function reasonToRepeat(error: unknown, { started, repeatable }: { started: boolean; repeatable: boolean }): RepeatReason | null {
  if (!started) return isReplicaFault(error) ? 'refused' : null;
  return repeatable && connectionEnded.has(faultOf(error)) ? 'lost' : null;
}

/**
 * Returns the seconds to wait for a request in progress; null for any other response. The service may run on after losing its connection,
 * and its claim may outlive it for a moment.
 */
export function secondsUntilDone(headers: IncomingHttpHeaders, body: Buffer): number | null {
  const retryAfter = Number(headers['retry-after']);
  return codeOf(body) === 'IDEMPOTENCY_IN_PROGRESS' && retryAfter > 0 ? retryAfter : null;
}

const codeOf = (body: Buffer): unknown => (parseJson(body) as { readonly error?: { readonly code?: unknown } | null } | null)?.error?.code;

const connectionEnded = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export type RepeatReason = 'refused' | 'lost' | 'in_progress';
