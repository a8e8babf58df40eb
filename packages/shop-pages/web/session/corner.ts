import { type ClientOptions, type CornerClient, createClient } from '@corner/client';
import { withLock } from '@corner/page-kit/browser/lock';
import { kept, notifyKept, whenKeptChanges } from '@corner/page-kit/browser/storage';
import { createSession, type Session, sessionName } from './session.ts';

export const session: Session = createSession({
  baseUrl: globalThis.location?.origin ?? '',
  storage: kept,
  lock: withLock,
  now: Date.now,
  language: () => document.documentElement.lang,
  changed: () => notifyKept(sessionName),
});

const options: ClientOptions = {
  baseUrl: globalThis.location?.origin ?? '',
  fetch: (request) => sendAs(session, request, (sent) => globalThis.fetch(sent)),
};

/** Calls this origin with the token of the customer. A change that needs a customer first creates a guest. */
export const corner: CornerClient = createClient(options);

/** A refused stream is not retried: a read replaces it. */
export const cornerStreams: Pick<CornerClient, 'follow'> = createClient({ ...options, attempts: 1 });

/** Listens to changes in any tab. Returns a function that ends this. */
export const whenSessionChanges = (listener: () => void): (() => void) => whenKeptChanges(sessionName, listener);

export async function sendAs(of: Session, request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  const caller = callerOf(request.method, new URL(request.url).pathname);
  const token = caller === 'anyone' ? null : await of.token({ create: caller === 'customer' });
  if (token === null) return await send(request);
  const again = request.clone();
  const response = await send(withToken(request, token));
  if (response.status !== 401) return response;
  const renewed = await of.renew(token);
  if (renewed === null || renewed === token) return response;
  await response.body?.cancel();
  return await send(withToken(again, renewed));
}

function withToken(request: Request, token: string): Request {
  request.headers.set('Authorization', `Bearer ${token}`);
  return request;
}

/** A menu needs no token. A read never creates a customer. */
export function callerOf(method: string, path: string): 'anyone' | 'customer if any' | 'customer' {
  if (/^\/api\/v1\/(?:orders\/stores|queue\/stores|directory\/(?:token|guests|keys))(?:\/|$)/.test(path)) return 'anyone';
  return method === 'GET' || path === '/api/v1/queue/leave' ? 'customer if any' : 'customer';
}
