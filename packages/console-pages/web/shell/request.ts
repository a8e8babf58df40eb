import type { personHeader as PersonHeader } from '@corner/console-api';
import type { PathTo } from '../logic/platform.ts';
import { failureOf, RequestFailed } from '../logic/refusal.ts';

const personHeader: typeof PersonHeader = 'corner-person';

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** The same key when the same action is repeated: see `newKey`. */
  readonly key?: string;
  readonly match?: number | undefined;
  /** The subject of `me`: another tab may have signed in another person. Anyone when absent. */
  readonly person?: string;
  readonly signal?: AbortSignal;
}

/**
 * `T` is the type of the schema in @corner/console-api, or of the platform's operation; the server has checked it. Throws RequestFailed
 * when the server refuses or does not reply.
 */
export async function request<T>(path: PathTo<T> | string, { method = 'GET', body, key, match, person, signal }: Sent = {}): Promise<T> {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (key !== undefined) headers.set('idempotency-key', key);
  if (match !== undefined) headers.set('if-match', `"${match}"`);
  if (person !== undefined) headers.set(personHeader, person);
  const init = { method, headers, credentials: 'same-origin', ...(signal ? { signal } : {}) } as const;
  const response = await fetch(path, body === undefined ? init : { ...init, body: JSON.stringify(body) }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new RequestFailed(0, 'NO_CONNECTION', 'The console’s server did not reply. Is the network there?');
  });
  const content: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw failureOf(response.status, content, response.headers.get('x-request-id') ?? undefined);
  return content as T;
}
