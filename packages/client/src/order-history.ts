import type { CornerClient } from './client.ts';
import type { components } from './openapi.ts';

export type Order = components['schemas']['Order'];

interface HistoryOptions {
  readonly store_id: string;
  /** Orders per request, at most 100. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

/**
 * Iterates over the orders of a store that have ended, newest first. Each page is fetched when the iteration reaches it. The
 * cursor is the time and the id of the last order, so orders of the same instant are neither repeated nor skipped. The token
 * must be a merchant's or staff's.
 */
export async function* orderHistory(corner: CornerClient, { store_id, pageSize = 100, signal }: HistoryOptions): AsyncGenerator<Order> {
  let last: Order | undefined;
  do {
    const after = last ? { before: last.created_at, before_id: last.id } : {};
    const { data } = await corner.GET('/api/v1/orders', {
      params: { query: { store_id, scope: 'history', limit: pageSize, ...after } },
      ...(signal ? { signal } : {}),
    });
    yield* data.orders;
    last = data.orders.length < pageSize ? undefined : data.orders.at(-1);
  } while (last);
}
