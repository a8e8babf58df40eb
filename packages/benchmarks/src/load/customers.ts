import { randomUUID } from 'node:crypto';
import type { RunningSystem } from '@corner/sandbox/system';
import type { BenchStore } from '../system/bench-stores.ts';
import type { HttpRequest } from './http-connection.ts';

export interface Basket {
  readonly items: readonly { readonly menu_item_id: string; readonly quantity: number }[];
  readonly order_type?: 'collect';
  readonly collection_mode?: 'now' | 'scheduled';
  readonly slot_id?: string | null;
  readonly voucher_id?: string | null;
}

export interface Customers {
  readonly ids: readonly string[];
  headers(customer: number): Readonly<Record<string, string>>;
}

export async function signIn(system: RunningSystem, ids: readonly string[]): Promise<Customers> {
  const tokens = await Promise.all(ids.map((sub) => system.tokens.token({ typ: 'customer', sub, ttlSeconds: 4 * 3600 })));
  return {
    ids,
    headers: (customer) => ({ authorization: `Bearer ${tokens[customer % tokens.length]}`, 'content-type': 'application/json' }),
  };
}

export function orderRequest(headers: Readonly<Record<string, string>>, store: BenchStore, basket: Basket): HttpRequest {
  const key = randomUUID();
  return {
    method: 'POST',
    path: '/api/v1/orders',
    headers: { ...headers, 'idempotency-key': key },
    body: JSON.stringify({ store_code: store.code, store_id: store.id, idempotency_key: key, ...basket }),
  };
}

export function anyOf<T>(all: readonly T[]): T {
  const index = Math.floor(Math.random() * all.length);
  if (index >= all.length) throw new Error('nothing to choose from');
  return all[index] as T;
}
