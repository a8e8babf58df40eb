import { randomUUID } from 'node:crypto';
import { Problem, type ProblemCode, problems } from '@corner/contracts';
import { z } from 'zod';

const timeoutMs = 10_000;
const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

interface Sent {
  readonly body?: object;
  readonly token?: string;
}

/** Calls an operation as an app does; a GET has no body. Throws the platform's problem, and UPSTREAM_UNAVAILABLE. */
export type CallGateway = <S extends z.ZodType>(path: string, reply: S, sent?: Sent) => Promise<z.output<S>>;

export const createCallGateway =
  (gatewayUrl: string): CallGateway =>
  async (path, reply, sent = {}) =>
    reply.parse(JSON.parse(await readText(`${gatewayUrl}${path}`, sent)));

/** Returns the text of the reply, a table too. Throws as {@link CallGateway} does. */
export async function readText(url: string, { body, token }: Sent): Promise<string> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
  };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  try {
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    if (response.ok) return text;
    const { code, message } = Refusal.parse(JSON.parse(text)).error;
    throw new Problem(Object.hasOwn(problems, code) ? (code as ProblemCode) : 'UPSTREAM_UNAVAILABLE', { message });
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The gateway does not respond.', retryAfterSeconds: 2, cause });
  }
}
