import type { CornerClient } from './client.ts';
import type { components } from './openapi.ts';

export type Order = components['schemas']['Order'];

interface ListOptions {
  readonly store_id: string;
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

/**
 * Iterates over the ended orders of a store, newest first. Each page is fetched when the iteration reaches it. The cursor is the time and
 * the id of the last order, so orders of the same instant are neither repeated nor skipped. The token must be a merchant's or staff's.
 */
export const orderHistory = (corner: CornerClient, options: ListOptions): AsyncGenerator<Order> => listOrders(corner, 'history', options);

/** Iterates over the live queue of a store, oldest due first, in the same way as {@link orderHistory}. */
export const liveOrders = (corner: CornerClient, options: ListOptions): AsyncGenerator<Order> => listOrders(corner, 'active', options);

/** An order as its customer sees it. */
export type CustomerOrder = components['schemas']['CustomerOrder'];

/** Iterates over a customer's own orders, newest first, in the same way as {@link orderHistory}. The token must be the customer's. */
export async function* myOrders(
  corner: CornerClient,
  { pageSize = 100, signal }: Omit<ListOptions, 'store_id'> = {},
): AsyncGenerator<CustomerOrder> {
  let last: CustomerOrder | undefined;
  do {
    const after = last ? { before: last.created_at, before_id: last.id } : {};
    const { data } = await corner.GET('/api/v1/orders/mine', { params: { query: { limit: pageSize, ...after } }, signal });
    yield* data.orders;
    last = data.orders.length < pageSize ? undefined : data.orders.at(-1);
  } while (last);
}

async function* listOrders(
  corner: CornerClient,
  scope: 'active' | 'history',
  { store_id, pageSize = 100, signal }: ListOptions,
): AsyncGenerator<Order> {
  let last: Order | undefined;
  do {
    const after = last ? { before: last.created_at, before_id: last.id } : {};
    const { data } = await corner.GET('/api/v1/orders', {
      params: { query: { store_id, scope, limit: pageSize, ...after } },
      ...(signal ? { signal } : {}),
    });
    yield* data.orders;
    last = data.orders.length < pageSize ? undefined : data.orders.at(-1);
  } while (last);
}
