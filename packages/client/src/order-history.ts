import type { CornerClient } from './client.ts';
import type { components } from './openapi.ts';

export type Order = components['schemas']['Order'];

interface Asked {
  readonly store_id: string;
  /** Orders fetched at a time, at most 100. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

/**
 * Every order of a store that has ended, newest first, fetched a page at a time as it is asked for. The cursor is the time
 * and the id of the last row, so that no row comes twice and none of the same instant is left out. For a merchant or staff.
 */
export async function* orderHistory(corner: CornerClient, { store_id, pageSize = 100, signal }: Asked): AsyncGenerator<Order> {
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
