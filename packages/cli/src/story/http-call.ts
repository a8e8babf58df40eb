import { randomBytes } from 'node:crypto';

/** One call of the story and what came of it. */
export interface Called {
  readonly status: number;
  /** Parsed JSON, or null. */
  readonly body: unknown;
  readonly ms: number;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  /** None for an address that asks for none. */
  readonly token?: string;
  /** JSON, unless `form` is given. */
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** Makes a change safe to repeat. */
  readonly idempotencyKey?: string;
}

/** A fresh trace id, as W3C Trace Context writes it. */
export const newTraceId = (): string => randomBytes(16).toString('hex');

/** Makes a call that continues the trace. Rejects only when nobody answers. */
export async function httpCall(traceId: string, call: Call): Promise<Called> {
  const began = performance.now();
  const response = await fetch(call.url, {
    method: call.method,
    headers: {
      Accept: 'application/json',
      ...(call.token === undefined ? {} : { Authorization: `Bearer ${call.token}` }),
      traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
      ...(call.idempotencyKey ? { 'Idempotency-Key': call.idempotencyKey } : {}),
      ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(call.form ? { body: new URLSearchParams(call.form) } : call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  return { status: response.status, body: parsed(text), ms: performance.now() - began };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
