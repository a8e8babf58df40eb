import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { storeChanges } from '../../../shell/changes.ts';
import { type Cursor, cursorAfter, type Order, readOrder, readPage } from '../operations.ts';
import { byColumn, mergeOrders } from '../order-columns.ts';
import { createReread, type Rows, since, withRow } from './reread.ts';

const useList = (store: string, scope: 'active' | 'history') =>
  useInfiniteQuery({
    queryKey: ['orders', store, scope],
    queryFn: ({ pageParam, signal }) => readPage({ store, scope, after: pageParam }, signal),
    initialPageParam: null as Cursor | null,
    getNextPageParam: cursorAfter,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const pagesAtOnce = 3;

export function useFirstPages({ data, hasNextPage, isFetching, fetchNextPage }: ReturnType<typeof useList>): void {
  const pages = data?.pages.length ?? 0;
  useEffect(() => {
    if (pages > 0 && pages < pagesAtOnce && hasNextPage && !isFetching) void fetchNextPage();
  }, [pages, hasNextPage, isFetching, fetchNextPage]);
}

interface ReadAlone {
  readonly orders: Rows<Order>;
  readonly errors: Rows<unknown>;
}

/**
 * Pages are read on demand, and each changed order is read on its own, so that a change neither moves the board nor reads thousands of
 * orders again. Rows stay until newer ones are read.
 */
export function useOrders(store: string) {
  const client = useQueryClient();
  const [alone, setAlone] = useState<ReadAlone>({ orders: new Map(), errors: new Map() });
  const current = useRef(alone);
  current.current = alone;
  const live = useList(store, 'active');
  const ended = useList(store, 'history');

  const readAnew = useCallback(async () => {
    const queryKey = ['orders', store];
    const before = current.current;
    try {
      await client.cancelQueries({ queryKey });
      await client.refetchQueries({ queryKey }, { throwOnError: true });
    } catch {
      return;
    }
    setAlone((now) => ({ orders: since(before.orders, now.orders), errors: since(before.errors, now.errors) }));
  }, [client, store]);
  const changes = useMemo(
    () =>
      createReread<Order>({
        read: (id) => readOrder(store, id),
        receive: (id, order) => setAlone(({ orders, errors }) => ({ orders: withRow(orders, id, order), errors: withRow(errors, id) })),
        reset: () => void readAnew(),
        failed: (id, error) => setAlone(({ orders, errors }) => ({ orders, errors: withRow(errors, id, error) })),
      }),
    [store, readAnew],
  );
  useEffect(
    () =>
      storeChanges.add((change) => {
        if (change === null) void readAnew();
        else if (change.type.startsWith('order.')) changes.changed(change.subject);
      }),
    [changes, readAnew],
  );

  const columns = useMemo(() => {
    const merged = mergeOrders(live.data?.pages.flat() ?? [], ended.data?.pages.flat() ?? [], alone.orders);
    return byColumn([...merged.live, ...merged.ended]);
  }, [live.data, ended.data, alone.orders]);
  const error = live.error ?? ended.error ?? alone.errors.values().next().value ?? null;
  return { columns, live, ended, changes, error, readAnew };
}

export type Changes = ReturnType<typeof useOrders>['changes'];
