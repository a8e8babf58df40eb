import type { Me, SessionRenewed } from '@corner/console-api';
import { QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { PathTo } from '../logic/platform.ts';
import { mayPass, RequestFailed } from '../logic/refusal.ts';
import type { ReadAgainFor } from '../logic/stale.ts';
import { request } from './request.ts';

/** A session that has ended shows in `useMe`, whichever read meets it first. */
export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && mayPass(error),
      staleTime: 1_000,
    },
  },
});

queries.getQueryCache().subscribe(({ type, query }) => {
  const { error } = query.state;
  const ended = type === 'updated' && error instanceof RequestFailed && error.status === 401 && query.queryKey[0] !== '/api/me';
  if (ended) void queries.invalidateQueries({ queryKey: ['/api/me'] });
});

export interface ReadOptions {
  /** Absent: the read is repeated only when the page is opened. */
  readonly readAgainFor?: ReadAgainFor;
  readonly every?: number;
  /** A costly read: made when the page is opened, and not again at each return to the tab. */
  readonly once?: true;
}

/** Reads once for all components that use the path. Null reads nothing. */
export const useRead = <T>(
  path: PathTo<T> | string | null,
  { readAgainFor, every, once }: ReadOptions = {},
): UseQueryResult<T, RequestFailed> =>
  useQuery<T, RequestFailed>({
    queryKey: [path],
    queryFn: ({ signal }) => request<T>(path as string, { signal }),
    enabled: path !== null,
    ...(readAgainFor ? { meta: { readAgainFor } } : {}),
    ...(every === undefined ? {} : { refetchInterval: every }),
    ...(once ? { refetchOnWindowFocus: false, refetchOnReconnect: false } : {}),
  });

export const readAgain = (...beginnings: readonly string[]): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => beginnings.some((beginning) => String(path).startsWith(beginning)) });

export const useMe = (): UseQueryResult<Me, RequestFailed> => useRead<Me>('/api/me');

export async function renewSession(): Promise<Me> {
  await request<SessionRenewed>('/session/renew', { method: 'POST' });
  return await queries.fetchQuery({ queryKey: ['/api/me'], queryFn: () => request<Me>('/api/me'), staleTime: 0 });
}
