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
  async (path, reply, sent = {}) => {
    const { ok, body } = await send(`${gatewayUrl}${path}`, sent);
    if (ok) return reply.parse(body);
    const { code, message } = Refusal.parse(body).error;
    throw new Problem(Object.hasOwn(problems, code) ? (code as ProblemCode) : 'UPSTREAM_UNAVAILABLE', { message });
  };

async function send(url: string, { body, token }: Sent): Promise<{ readonly ok: boolean; readonly body: unknown }> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
  };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  try {
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) });
    return { ok: response.ok, body: await response.json() };
  } catch (cause) {
    throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The gateway does not respond.', retryAfterSeconds: 2, cause });
  }
}
