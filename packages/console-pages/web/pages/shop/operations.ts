import type * as contracts from '@corner/contracts';
import type { z } from 'zod';
import { createAttempts } from '../../shell/attempts.ts';
import { useStore } from '../../shell/context.ts';
import { useRead } from '../../shell/queries.ts';
import { request } from '../../shell/request.ts';

/** What the operations of the platform return, as the pages of the shop use it. Types only: the schemas stay on the server. */
export type Order = z.output<typeof contracts.Order>;
export type LogEntry = z.output<typeof contracts.OrderLogEntry>;
export type Entry = z.output<typeof contracts.MerchantQueueEntry>;
export type Stamp = z.output<typeof contracts.PendingStamp>;
export type CustomerState = z.output<typeof contracts.loyalty.customerState.reply>;
export type Store = z.output<typeof contracts.Store>;

/** The platform's operations that the pages of the shop use. A change takes a key where the same action may be sent again. */

const query = (fields: Readonly<Record<string, string | number | undefined>>): string =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))).toString();

const orderPath = (orderId: string): string => `/api/v1/orders/${encodeURIComponent(orderId)}`;

/** The last row of a page, which the next page starts after. */
export interface Cursor {
  readonly before: string;
  readonly before_id: string;
}

export const pageSize = 100;

export async function readPage(store: string, scope: 'active' | 'history', after: Cursor | null, signal: AbortSignal): Promise<Order[]> {
  const path = `/api/v1/orders?${query({ store_id: store, scope, limit: pageSize, ...after })}`;
  return (await request<{ orders: Order[] }>(path, { signal })).orders;
}

/** Where the next page starts; null after the last. */
export const cursorAfter = (page: readonly Order[]): Cursor | null => {
  const last = page.at(-1);
  return last && page.length >= pageSize ? { before: last.created_at, before_id: last.id } : null;
};

export const readOrder = async (store: string, orderId: string): Promise<Order> =>
  (await request<{ order: Order }>(`${orderPath(orderId)}?${query({ store_id: store })}`)).order;

export const logPath = (store: string, orderId: string): string => `${orderPath(orderId)}/log?${query({ store_id: store })}`;
export type LogReply = { readonly entries: readonly LogEntry[] };

/** Of all pages, so that a press of the same button after a lost response repeats the action, also on a page that was opened again. */
const attempt = createAttempts();

interface Sent {
  /** The id of what is changed. */
  readonly of: string;
  readonly method?: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
  /** The field of the body that also takes the key, which the service then knows for ever. */
  readonly keyField?: string;
  /** For an action whose attempts its dialog counts. */
  readonly key?: string | undefined;
}

/** Sends a change to the platform, with the key of the time before when it is not known whether the same change was made then. */
const send = <T>({ of, method = 'POST', path, body, keyField, key: given }: Sent): Promise<T> => {
  const sendWith = (key: string) => request<T>(path, { method, body: keyField ? { ...body, [keyField]: key } : body, key });
  return given === undefined ? attempt(of, sendWith, `${method} ${path} ${JSON.stringify(body)}`) : sendWith(given);
};

/** A change of an order. */
const change = <T>(orderId: string, method: 'POST' | 'PATCH', what: string, body: object, key?: string): Promise<T> =>
  send<T>({ of: orderId, method, path: `${orderPath(orderId)}/${what}`, body, key });

export const setFulfilment = async (store_id: string, orderId: string, to_status: string): Promise<Order> =>
  (await change<{ order: Order }>(orderId, 'PATCH', 'fulfilment', { store_id, to_status })).order;

export const setStatus = (
  store_id: string,
  orderId: string,
  status: 'ready' | 'fulfilled' | 'cancelled',
  note?: string,
  key?: string,
): Promise<unknown> => change(orderId, 'PATCH', 'status', { store_id, status, ...(note ? { note } : {}) }, key);

export const notifyDelay = (store_id: string, orderId: string, delayMinutes: number, note: string, key: string) =>
  change<{ notified: string; channel_detail?: string }>(
    ...([orderId, 'POST', 'notify-delay', { store_id, delayMinutes, ...(note ? { note } : {}) }, key] as const),
  );

export interface RefundRequest {
  /** Null refunds all that is left. */
  readonly amount: number | null;
  readonly reason: string;
  /** The same one until the outcome is known: however often the button is pressed, it is one refund. */
  readonly attempt: string;
}

export const refund = (store_id: string, orderId: string, { amount, reason, attempt: name }: RefundRequest) =>
  change<{ refund: { amount: number; status: string | null } }>(orderId, 'POST', 'refund', {
    ...{ store_id, reason, refund_attempt_id: name },
    ...(amount === null ? {} : { amount_pence: amount }),
  });

export const moveEntry = async (store_id: string, entryId: string, move: string): Promise<Entry> => {
  const path = `/api/v1/queue/entries/${encodeURIComponent(entryId)}/${move}`;
  return (await send<{ entry: Entry }>({ of: entryId, path, body: { store_id } })).entry;
};

/** Approves or rejects a stamp. `result.success` is false when the quota of the plan prevented an approval. */
export const resolveStamp = (store_id: string, stamp_id: string, action: 'approve' | 'reject') =>
  send<{ result: { success?: boolean; error?: string; message?: string; voucher_created?: boolean } | null }>({
    of: stamp_id,
    path: '/api/v1/loyalty/pending-stamps/resolve',
    body: { store_id, stamp_id, action },
  });

export const grantStamp = (store_id: string, customer_id: string) =>
  send<{ current_stamps: number; goal: number; voucher_earned: boolean }>({
    of: customer_id,
    path: '/api/v1/loyalty/stamps',
    body: { store_id, customer_id },
    keyField: 'idempotency_key',
  });

export const undoStamp = (store_id: string, customer_id: string, stamp_id: string) =>
  send<{ undone: boolean; current_stamps: number }>({
    of: customer_id,
    path: '/api/v1/loyalty/stamps/undo',
    body: { store_id, customer_id, stamp_id },
  });

export const redeemVoucher = (store_id: string, customer_id: string, voucher_id: string, key: string) =>
  send<{ redemption_code: string; reward_title: string | null }>({
    of: voucher_id,
    path: '/api/v1/loyalty/redemptions',
    body: { store_id, customer_id, voucher_id },
    key,
  });

export const stampsPath = (store_id: string, status: 'pending' | 'approved'): string =>
  `/api/v1/loyalty/pending-stamps?${query({ store_id, status })}`;
export type StampsReply = { readonly stamps: readonly Stamp[] };

export const customerPath = (store_id: string, customer_id: string): string =>
  `/api/v1/loyalty/customer-state?${query({ store_id, customer_id })}`;
export type CustomerReply = CustomerState;

export const queuePath = (store_id: string): string => `/api/v1/queue/entries?${query({ store_id })}`;
export type QueueReply = { readonly entries: readonly Entry[]; readonly called_hold_minutes: number };

export const storePath = (code: string): string => `/api/v1/orders/stores?${query({ code })}`;
export type StoresReply = { readonly stores: readonly Store[] };

/** The time zone of the store, in which its pages say times; undefined until it is read. */
export const useZone = (): string | undefined => useRead<StoresReply>(storePath(useStore().code)).data?.stores[0]?.time_zone;
