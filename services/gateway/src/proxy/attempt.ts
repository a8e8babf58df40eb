import type { IncomingHttpHeaders } from 'node:http';
import { problems } from '@corner/contracts';
import { secondsUntilDone } from './repeat.ts';

/**
 * One send of a request to one replica, from its connection to the last byte of its response.
 *
 * connecting: waits for a connection; the replica knows nothing of the request. sent: has a connection and no response; the replica may
 * have received the request or a part of it. holding: keeps a conflict until its body shows whether it is a conflict with the lost attempt,
 * which is for the gateway; any other is for the caller. passing: passes the response on as it arrives. aborted: given up; the connection
 * is aborted as soon as there is one.
 *
 * `afterLoss`: an earlier attempt may still run, although its connection was lost.
 */
export type Attempt =
  | { readonly state: 'connecting'; readonly afterLoss: boolean }
  | { readonly state: 'sent'; readonly afterLoss: boolean }
  | { readonly state: 'holding'; readonly headers: IncomingHttpHeaders; readonly chunks: readonly Buffer[] }
  | { readonly state: 'passing' }
  | { readonly state: 'aborted'; readonly reason: Error }
  | { readonly state: 'over' };

export type AttemptEvent =
  | { readonly type: 'connected' }
  | { readonly type: 'response'; readonly status: number; readonly headers: IncomingHttpHeaders }
  | { readonly type: 'data'; readonly chunk: Buffer }
  | { readonly type: 'end' }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'abort'; readonly reason: Error };

/** in progress: the replica has not finished the attempt that was lost. `sent`: the replica may have received the request. */
export type Report =
  | { readonly type: 'response begins'; readonly status: number; readonly headers: IncomingHttpHeaders }
  | { readonly type: 'response data'; readonly chunk: Buffer }
  | { readonly type: 'response ends' }
  | { readonly type: 'in progress'; readonly seconds: number }
  | { readonly type: 'failed'; readonly error: unknown; readonly sent: boolean };

export interface AttemptStep {
  readonly attempt: Attempt;
  readonly reports: readonly Report[];
  readonly abort?: Error;
}

export const beginAttempt = (afterLoss: boolean): Attempt => ({ state: 'connecting', afterLoss });

/** An event that does not fit the state changes nothing. */
export function stepAttempt(attempt: Attempt, event: AttemptEvent): AttemptStep {
  if (attempt.state === 'over') return unchanged(attempt);
  if (event.type === 'abort') return abort(attempt, event.reason);
  if (event.type === 'error') return fail(attempt, event);
  switch (attempt.state) {
    case 'connecting':
      return event.type === 'connected' ? { attempt: { ...attempt, state: 'sent' }, reports: [] } : unchanged(attempt);
    case 'sent':
      return event.type === 'response' ? respond(attempt, event) : unchanged(attempt);
    case 'holding':
      if (event.type === 'data') return { attempt: { ...attempt, chunks: [...attempt.chunks, event.chunk] }, reports: [] };
      return event.type === 'end' ? decideConflict(attempt) : unchanged(attempt);
    case 'passing':
      if (event.type === 'data') return { attempt, reports: [{ type: 'response data', chunk: event.chunk }] };
      return event.type === 'end' ? { attempt: over, reports: [{ type: 'response ends' }] } : unchanged(attempt);
    case 'aborted':
      return event.type === 'connected' ? { attempt, reports: [], abort: attempt.reason } : unchanged(attempt);
    default:
      return attempt satisfies never;
  }
}

function abort(attempt: Attempt, reason: Error): AttemptStep {
  if (attempt.state === 'aborted') return unchanged(attempt);
  const aborted: Attempt = { state: 'aborted', reason };
  return attempt.state === 'connecting' ? { attempt: aborted, reports: [] } : { attempt: aborted, reports: [], abort: reason };
}

function fail(attempt: Attempt, { error }: AttemptEvent & { type: 'error' }): AttemptStep {
  if (attempt.state === 'aborted') return { attempt: over, reports: [] };
  return { attempt: over, reports: [{ type: 'failed', error, sent: attempt.state !== 'connecting' }] };
}

function respond({ afterLoss }: Attempt & { state: 'sent' }, { status, headers }: AttemptEvent & { type: 'response' }): AttemptStep {
  if (afterLoss && status === conflict) return { attempt: { state: 'holding', headers, chunks: [] }, reports: [] };
  return { attempt: { state: 'passing' }, reports: [{ type: 'response begins', status, headers }] };
}

function decideConflict({ headers, chunks }: Attempt & { state: 'holding' }): AttemptStep {
  const chunk = Buffer.concat(chunks);
  const seconds = secondsUntilDone(headers, chunk);
  if (seconds !== null) return { attempt: over, reports: [{ type: 'in progress', seconds }] };
  const begins: Report = { type: 'response begins', status: conflict, headers };
  return { attempt: over, reports: [begins, { type: 'response data', chunk }, { type: 'response ends' }] };
}

const unchanged = (attempt: Attempt): AttemptStep => ({ attempt, reports: [] });
const over: Attempt = { state: 'over' };
const conflict = problems.IDEMPOTENCY_IN_PROGRESS.status;
