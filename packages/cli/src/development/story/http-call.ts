import { randomBytes } from 'node:crypto';
import type { z } from 'zod';

export type CallResult<T> = {
  readonly call: string;
  readonly status: number;
  readonly ms: number;
} & ({ readonly value: T } | { readonly error: string });

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly token?: string;
  readonly form?: Readonly<Record<string, string>>;
}

export const newTraceId = (): string => randomBytes(16).toString('hex');

export async function httpCall<T>(traceId: string, { method, url, token, form }: Call, schema: z.ZodType<T>): Promise<CallResult<T>> {
  const startedAt = performance.now();
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
  const result = { call: `${method} ${new URL(url).pathname}`, status: response.status, ms: performance.now() - startedAt };
  if (response.status !== 200) return { ...result, error: text.replace(/\s+/g, ' ').slice(0, 200) };
  const body = schema.safeParse(parseJson(text));
  return body.success ? { ...result, value: body.data } : { ...result, error: describeMismatch(body.error) };
}

const describeMismatch = ({ issues }: z.ZodError): string =>
  `unexpected response: ${issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
