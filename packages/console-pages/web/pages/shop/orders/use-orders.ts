import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { followChanges } from '../../../shell/changes.ts';
import { type Cursor, cursorAfter, readOrder, readPage } from '../operations.ts';
import type { Order } from '../shapes.ts';
import { byColumn, mergeOrders } from './order-columns.ts';
import { createReread } from './reread.ts';

const useList = (store: string, scope: 'active' | 'history') =>
  useInfiniteQuery({
    queryKey: ['orders', store, scope],
    queryFn: ({ pageParam, signal }) => readPage(store, scope, pageParam, signal),
    initialPageParam: null as Cursor | null,
    getNextPageParam: cursorAfter,
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * The orders of a store by column, kept current: pages are read as they are asked for, and each order that changes is read by itself, so
 * that a change neither moves the board nor reads thousands of orders again.
 */
export function useOrders(store: string) {
  const client = useQueryClient();
  const [reread, setReread] = useState<ReadonlyMap<string, Order>>(new Map());
  const live = useList(store, 'active');
  const ended = useList(store, 'history');

  const reset = useCallback(async () => {
    await client.resetQueries({ queryKey: ['orders', store] });
    setReread(new Map());
  }, [client, store]);
  const changes = useMemo(
    () =>
      createReread<Order>({
        read: (id) => readOrder(store, id),
        receive: (id, order) => setReread((before) => new Map(before).set(id, order)),
        reset: () => void reset(),
        failed: () => void reset(),
      }),
    [store, reset],
  );
  useEffect(
    () =>
      followChanges({
        change: ({ type, subject }) => {
          if (type.startsWith('order.')) changes.changed(subject);
        },
        reset: () => void reset(),
      }),
    [changes, reset],
  );

  const columns = useMemo(() => {
    const merged = mergeOrders(live.data?.pages.flat() ?? [], ended.data?.pages.flat() ?? [], reread);
    return byColumn([...merged.live, ...merged.ended]);
  }, [live.data, ended.data, reread]);
  return { columns, live, ended, changes };
}

export type Changes = ReturnType<typeof useOrders>['changes'];
