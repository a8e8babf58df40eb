import type * as contracts from '@corner/contracts';
import type { z } from 'zod';
import { useStore } from '../../shell/context.ts';
import { useRead } from '../../shell/queries.ts';
import { request } from '../../shell/request.ts';
import { query, type Sent, send } from './send.ts';

/** Replies of the platform's operations that the pages of the shop use. Types only: the schemas stay on the server. */
export type Order = z.output<typeof contracts.Order>;
export type Store = z.output<typeof contracts.Store>;

/** The platform's operations that the pages of the shop use. A change takes a key where the same action may be sent again. */

const orderPath = (orderId: string): string => `/api/v1/orders/${encodeURIComponent(orderId)}`;

/** The last row of a page, which the next page starts after. */
export interface Cursor {
  readonly before: string;
  readonly before_id: string;
}

export const pageSize = 100;

/** Narrows a list of orders. Empty fields narrow nothing; days are those of the store, both inclusive. */
export interface OrderFilter {
  /** A number, a code, the beginning of a name, or the id of a customer. */
  readonly q: string;
  readonly from: string;
  readonly to: string;
}

const everything: OrderFilter = { q: '', from: '', to: '' };

interface PageOf {
  readonly store: string;
  readonly scope: 'active' | 'history';
  /** Null for the first page. */
  readonly after: Cursor | null;
  readonly filter?: OrderFilter;
}

export async function readPage({ store, scope, after, filter = everything }: PageOf, signal: AbortSignal): Promise<Order[]> {
  const asked = { q: filter.q || undefined, from: filter.from || undefined, to: filter.to || undefined };
  const path = `/api/v1/orders?${query({ store_id: store, scope, limit: pageSize, ...asked, ...after })}`;
  return (await request<{ orders: Order[] }>(path, { signal })).orders;
}

/** Where the next page starts; null after the last. */
export const cursorAfter = (page: readonly Order[]): Cursor | null => {
  const last = page.at(-1);
  return last && page.length >= pageSize ? { before: last.created_at, before_id: last.id } : null;
};

export interface OrderReply {
  readonly order: Order;
}

/** The path that reads one order. */
export const orderAt = (store: string, orderId: string): string => `${orderPath(orderId)}?${query({ store_id: store })}`;

export const readOrder = async (store: string, orderId: string): Promise<Order> =>
  (await request<OrderReply>(orderAt(store, orderId))).order;

export type StoryReply = z.output<typeof contracts.StoreOrderStory>;
export const storyPath = (store: string, orderId: string): string => `${orderPath(orderId)}/story?${query({ store_id: store })}`;

interface OrderChange extends Pick<Sent, 'method' | 'body' | 'key'> {
  /** The end of the operation's path. */
  readonly what: string;
}

/** A change of an order. */
const change = <T>(orderId: string, { what, ...rest }: OrderChange): Promise<T> =>
  send<T>({ of: orderId, path: `${orderPath(orderId)}/${what}`, ...rest });

export const setFulfilment = async (store_id: string, orderId: string, to_status: string): Promise<Order> =>
  (await change<{ order: Order }>(orderId, { method: 'PATCH', what: 'fulfilment', body: { store_id, to_status } })).order;

/** A note and the key of the attempt, for a change that a dialog asks for. */
interface Noted {
  readonly note?: string;
  readonly key?: string;
}

const noted = (note = '') => (note === '' ? {} : { note });

export const setStatus = (store_id: string, orderId: string, status: 'ready' | 'fulfilled') =>
  change<unknown>(orderId, { method: 'PATCH', what: 'status', body: { store_id, status } });

/** A refund as the provider has it: `pending` is still on its way. */
interface MadeRefund {
  readonly amount: number;
  readonly status: string | null;
}

/** Cancels an order, and with `refund` refunds what is left of its payment: both happen, or neither. */
export const cancelOrder = (store_id: string, orderId: string, refund: boolean, { note, key }: Noted) =>
  change<{ readonly refund?: MadeRefund | null }>(orderId, {
    method: 'PATCH',
    what: 'status',
    body: { store_id, status: 'cancelled', ...(refund ? { refund } : {}), ...noted(note) },
    key,
  });

export const notifyDelay = (store_id: string, orderId: string, delayMinutes: number, { note, key }: Noted) =>
  change<{ notified: string }>(orderId, { what: 'notify-delay', body: { store_id, delayMinutes, ...noted(note) }, key });

/** The statuses that a correction leads back to. */
export type EarlierStatus = 'placed' | 'accepted' | 'preparing' | 'ready';

/** Takes back a status that was set by mistake. */
export const correctOrder = async (store_id: string, orderId: string, to_status: EarlierStatus, { note: reason = '', key }: Noted) =>
  (await change<{ order: Order }>(orderId, { what: 'correct', body: { store_id, to_status, reason }, key })).order;

export interface RefundRequest {
  /** Null refunds the lines, or all that is left. */
  readonly amount: number | null;
  /** Units by line; null refunds an amount. */
  readonly lines: readonly { readonly position: number; readonly quantity: number; readonly restock: boolean }[] | null;
  readonly reason: string;
  /** The same one until the outcome is known: however often the button is pressed, it is one refund. */
  readonly attempt: string;
}

export const refund = (store_id: string, orderId: string, { amount, lines, reason, attempt: name }: RefundRequest) =>
  change<{ refund: MadeRefund }>(orderId, {
    what: 'refund',
    body: { store_id, reason, refund_attempt_id: name, ...(amount === null ? {} : { amount_pence: amount }), ...(lines ? { lines } : {}) },
  });

export const storePath = (code: string): string => `/api/v1/orders/stores?${query({ code })}`;
export type StoresReply = { readonly stores: readonly Store[] };

/** The time zone of the store, in which its pages show times; undefined until it is read. */
export const useZone = (): string | undefined => useRead<StoresReply>(storePath(useStore().code)).data?.stores[0]?.time_zone;
