import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { History } from './history.ts';

/** One call through the public way in. */
export interface Sent {
  /** What it is called in the history. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  /** Absent for a caller who is not signed in. */
  readonly token?: string;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** Idempotency-Key; also names the call in the history. */
  readonly key?: string;
  readonly traceId?: string;
}

export interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly headers: Headers;
}

/** Makes a call once and records it. Rejects when no whole answer came: what happened is unknown then. */
export async function send(history: History, call: Sent): Promise<Answered> {
  const record = (outcome: 'ok' | 'refused' | 'unknown', status: number | null, answer: unknown) =>
    history.add({ at: new Date().toISOString(), operation: call.operation, key: call.key ?? '', outcome, status, answer });
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers: {
        accept: 'application/json',
        ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
        ...(call.key ? { 'idempotency-key': call.key } : {}),
        ...(call.traceId ? { traceparent: `00-${call.traceId}-${randomBytes(8).toString('hex')}-01` } : {}),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.form ? { body: new URLSearchParams(call.form) } : call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    const body = JSON.parse(text) as Record<string, unknown>;
    record(response.ok ? 'ok' : 'refused', response.status, body);
    return { status: response.status, body, text, headers: response.headers };
  } catch (error) {
    record('unknown', null, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Whether a repeat with the same key may still get a real answer. */
const passing = ({ status, body }: Answered): boolean =>
  status >= 500 || status === 429 || (body.error as { code?: string } | undefined)?.code === 'IDEMPOTENCY_IN_PROGRESS';

/**
 * Makes a call as a patient client does: under one key, again and again while the answer is that the world is in trouble.
 * Answers the first definite answer; throws when none came in time.
 */
export async function sendUntilAnswered(history: History, call: Sent, patienceMs = 30_000): Promise<Answered> {
  const until = performance.now() + patienceMs;
  for (let last: unknown; ; ) {
    try {
      const answer = await send(history, call);
      if (!passing(answer)) return answer;
      last = answer.text;
    } catch (error) {
      last = error;
    }
    if (performance.now() > until) throw new Error(`no definite answer to ${call.operation} within ${patienceMs} ms`, { cause: last });
    await pause(100 + Math.random() * 100);
  }
}
