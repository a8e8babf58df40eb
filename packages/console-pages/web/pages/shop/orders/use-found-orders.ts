import { useInfiniteQuery } from '@tanstack/react-query';
import { type Cursor, cursorAfter, type Order, type OrderFilter, readPage } from '../operations.ts';

export const isAsked = ({ q, from, to }: OrderFilter): boolean => q.length >= 2 || from !== '' || to !== '';

export function useFoundOrders(storeId: string, filter: OrderFilter) {
  const live = useFound(storeId, 'active', filter);
  const ended = useFound(storeId, 'history', filter);
  const orders = [...new Map([...rowsOf(live), ...rowsOf(ended)].map((order) => [order.id, order])).values()];
  return {
    orders,
    isPending: live.isPending || ended.isPending,
    error: live.error ?? ended.error,
    hasMore: live.hasNextPage || ended.hasNextPage,
    readMore() {
      if (live.hasNextPage) void live.fetchNextPage();
      if (ended.hasNextPage) void ended.fetchNextPage();
    },
    readAgain: () => void Promise.all([live.refetch(), ended.refetch()]),
  };
}

const useFound = (storeId: string, scope: 'active' | 'history', filter: OrderFilter) =>
  useInfiniteQuery({
    queryKey: ['found orders', storeId, scope, filter],
    queryFn: ({ pageParam, signal }) => readPage({ store: storeId, scope, after: pageParam, filter }, signal),
    initialPageParam: null as Cursor | null,
    getNextPageParam: cursorAfter,
    meta: { readAgainFor: { types: ['order.'], subjects: [storeId] } },
  });

const rowsOf = ({ data }: ReturnType<typeof useFound>): readonly Order[] => data?.pages.flat() ?? [];
