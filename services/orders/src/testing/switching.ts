import type { Transaction } from '@corner/chassis';
import { until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import { worker } from './callers.ts';
import type { OpenStore, Running } from './running.ts';

export function switches(running: Running, store: OpenStore, by = worker(running, store)) {
  const path = `/api/v1/orders/stores/${store.id}`;
  return {
    read: () => by.call('GET', `${path}/switches`),
    item: (id: string, change: Record<string, unknown>, headers?: Record<string, string>) =>
      by.call('PATCH', `${path}/menu/${id}`, change, headers),
    pause: (change: Record<string, unknown>, headers?: Record<string, string>) => by.call('POST', `${path}/pause`, change, headers),
    log: (query = '') => by.call('GET', `${path}/log${query}`),
    async state(id: string) {
      const { items } = (await by.call('GET', `${path}/switches`)).body;
      return items.find((item: { readonly menu_item_id: string }) => item.menu_item_id === id);
    },
  };
}

/** Makes a change in a transaction that commits once `work`, which began after the change, waits for it. Returns the result of `work`. */
export async function commitWhenAwaited<T>(
  { service }: Running,
  change: (tx: Transaction) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { result } = await service.database.transaction(async (tx) => {
    await change(tx);
    const started = work();
    const isAwaited = () =>
      tx.oneFirst(sql.type(z.object({ awaited: z.boolean() }))`
        select exists (select from pg_locks l where not l.granted and pg_backend_pid() = any(pg_blocking_pids(l.pid))) as awaited`);
    await until(isAwaited, { describe: 'a transaction that waits for the change' });
    // Wrapped in an object, so that the transaction does not await it.
    return { result: started };
  });
  return await result;
}
