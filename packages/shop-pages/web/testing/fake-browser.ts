import type { Lock } from '@corner/page-kit/browser/lock';
import type { Kept } from '@corner/page-kit/browser/storage';

export function memoryStorage(): Kept & { readonly values: ReadonlyMap<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
}

export function sharedLock(): Lock {
  const last = new Map<string, Promise<unknown>>();
  return async (name, run) => {
    const next = (last.get(name) ?? Promise.resolve()).then(run, run);
    last.set(name, next);
    return await next;
  };
}

export interface Sent {
  readonly path: string;
  readonly key: string | null;
  readonly body: Record<string, unknown>;
}

export function fakeNetwork(reply: (sent: Sent) => Response | Error | Promise<Response>) {
  const sent: Sent[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const one = {
      path: new URL(request.url).pathname,
      key: request.headers.get('idempotency-key'),
      body: (await request.json()) as Record<string, unknown>,
    };
    sent.push(one);
    const response = await reply(one);
    if (response instanceof Error) throw response;
    return response;
  };
  return { sent, fetch };
}

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

export const refusal = (code: string, status: number, more: object = {}): Response =>
  json({ error: { code, message: code, requestId: 'r', ...more } }, status);
