import { randomBytes, randomUUID } from 'node:crypto';
import { type CornerClient, CornerError, createClient } from '@corner/client';
import type { History } from './history.ts';

/** Something somebody does, as the history calls it. All its requests have one Idempotency-Key. */
export interface Deed {
  readonly operation: string;
  /** Absent for a caller who is not signed in. */
  readonly token?: string | undefined;
  /** Made when absent; a key that is given also names the deed in the history. */
  readonly key?: string | undefined;
  readonly traceId?: string | undefined;
}

/** A deed by its address, where it is not known to the compiler. */
export interface Sent extends Deed {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly headers: Headers;
}

/** Makes one request and records what came of it. Rejects when no whole answer came: what happened is unknown then. */
export async function attempt(
  history: History,
  { operation, key = '' }: Pick<Deed, 'operation' | 'key'>,
  request: Request,
): Promise<Answered> {
  const record = (outcome: 'ok' | 'refused' | 'unknown', status: number | null, answer: unknown) =>
    history.add({ at: new Date().toISOString(), operation, key, outcome, status, answer });
  try {
    const response = await fetch(request);
    const text = await response.text();
    const body = JSON.parse(text) as Record<string, unknown>;
    record(response.ok ? 'ok' : 'refused', response.status, body);
    return { status: response.status, body, text, headers: response.headers };
  } catch (error) {
    record('unknown', null, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/**
 * The client for one deed, each of whose attempts is recorded. It repeats what is in passing trouble, waiting `patienceMs`
 * altogether; with none it asks once. `heard` is told every answer.
 */
export function cornerFor(
  baseUrl: string,
  history: History,
  deed: Deed,
  patienceMs = 30_000,
  heard: (answer: Answered) => void = () => {},
): CornerClient {
  const { token, traceId, key } = deed;
  return createClient({
    baseUrl,
    ...(token === undefined ? {} : { token }),
    newKey: () => key ?? randomUUID(),
    traceparent: () => traceId && `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    attempts: patienceMs === 0 ? 1 : Number.POSITIVE_INFINITY,
    attemptMs: 10_000,
    waitMs: patienceMs,
    // A process that was killed is back within a second: whoever pauses longer sees less of its return.
    pauseMs: 200,
    async fetch(request) {
      const answer = await attempt(history, deed, request);
      heard(answer);
      return new Response(answer.text, { status: answer.status, headers: answer.headers });
    },
  });
}

/** Asks once. Rejects when no whole answer came. */
export const send = (history: History, call: Sent): Promise<Answered> => ask(history, call, 0);

/** Asks until there is a definite answer, or the patience is over: then answers the last one, and rejects when there was none. */
export const sendUntilAnswered = (history: History, call: Sent, patienceMs = 30_000): Promise<Answered> => ask(history, call, patienceMs);

async function ask(history: History, { method, url, body, ...deed }: Sent, patienceMs: number): Promise<Answered> {
  const { origin, pathname, search } = new URL(url);
  let last: Answered | undefined;
  const corner = cornerFor(origin, history, deed, patienceMs, (answer) => {
    last = answer;
  });
  const call = corner[method] as unknown as (path: string, asked: { body?: unknown }) => Promise<unknown>;
  try {
    await call(pathname + search, { body });
  } catch (error) {
    // A refusal is an answer.
    if (!(error instanceof CornerError) || error.status === 0) throw error;
  }
  if (!last) throw new Error(`${deed.operation} was not asked`);
  return last;
}
