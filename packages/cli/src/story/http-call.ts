import { randomBytes } from 'node:crypto';
import type { z } from 'zod';

/** One call of the story, and what came of it: a value, or why there is none. */
export type Called<T> = {
  /** Method and path. */
  readonly call: string;
  readonly status: number;
  readonly ms: number;
} & ({ readonly value: T } | { readonly refusal: string });

/** A call to somebody who is not Corner. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** None for an address that asks for none. */
  readonly token?: string;
  readonly form?: Readonly<Record<string, string>>;
}

/** A fresh trace id, as W3C Trace Context writes it. */
export const newTraceId = (): string => randomBytes(16).toString('hex');

/** Makes a call that continues the trace. Rejects only when nobody answers. */
export async function httpCall<T>(traceId: string, { method, url, token, form }: Call, schema: z.ZodType<T>): Promise<Called<T>> {
  const began = performance.now();
  const response = await fetch(url, {
    method,
    headers: {
      Accept: 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    },
    ...(form ? { body: new URLSearchParams(form) } : {}),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  const called = { call: `${method} ${new URL(url).pathname}`, status: response.status, ms: performance.now() - began };
  if (response.status !== 200) return { ...called, refusal: text.replace(/\s+/g, ' ').slice(0, 200) };
  const reply = schema.safeParse(parsed(text));
  return reply.success ? { ...called, value: reply.data } : { ...called, refusal: misfit(reply.error) };
}

const misfit = ({ issues }: z.ZodError): string =>
  `not the answer expected: ${issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
