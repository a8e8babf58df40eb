import type { components } from '@corner/client';
import { type Body, pathTo } from '../../logic/platform.ts';
import { useStore } from '../../shell/context.ts';
import { useRead } from '../../shell/queries.ts';
import { request } from '../../shell/request.ts';
import { send } from './send.ts';

/** A change takes a key where the same action may be sent again. */

export type Order = components['schemas']['Order'];

/** The last row of a page, which the next page starts after; null before the first page and after the last. */
export interface Cursor {
  readonly before: string;
  readonly before_id: string;
}

export const pageSize = 100;

/**
 * Empty fields narrow nothing. `q` is a number, a code, the beginning of a name, or the id of a customer; days are those of the store, both
 * inclusive.
 */
export interface OrderFilter {
  readonly q: string;
  readonly from: string;
  readonly to: string;
}

const everything: OrderFilter = { q: '', from: '', to: '' };

interface PageOf {
  readonly store: string;
  readonly scope: 'active' | 'history';
  readonly after: Cursor | null;
  readonly filter?: OrderFilter;
}

export async function readPage({ store, scope, after, filter = everything }: PageOf, signal: AbortSignal): Promise<Order[]> {
  const asked = { q: filter.q || undefined, from: filter.from || undefined, to: filter.to || undefined };
  const path = pathTo('/api/v1/orders', { store_id: store, scope, limit: pageSize, ...asked, ...after });
  return (await request(path, { signal })).orders;
}

export const cursorAfter = (page: readonly Order[]): Cursor | null => {
  const last = page.at(-1);
  return last && page.length >= pageSize ? { before: last.created_at, before_id: last.id } : null;
};

export const orderAt = (store_id: string, orderId: string) => pathTo('/api/v1/orders/{orderId}', { orderId, store_id });

export const readOrder = async (store: string, orderId: string): Promise<Order> => (await request(orderAt(store, orderId))).order;

export const storyPath = (store_id: string, orderId: string) => pathTo('/api/v1/orders/{orderId}/story', { orderId, store_id });

export const setFulfilment = async (store_id: string, orderId: string, to_status: Status<'fulfilment'>): Promise<Order> =>
  (await send('PATCH /api/v1/orders/{orderId}/fulfilment', { of: orderId, at: { orderId }, body: { store_id, to_status } })).order;

type Status<W extends 'fulfilment' | 'correct'> = W extends 'fulfilment'
  ? Body<'PATCH /api/v1/orders/{orderId}/fulfilment'>['to_status']
  : Body<'POST /api/v1/orders/{orderId}/correct'>['to_status'];

interface Noted {
  readonly note?: string;
  readonly key?: string;
}

export const setStatus = (store_id: string, orderId: string, status: 'ready' | 'fulfilled') =>
  send('PATCH /api/v1/orders/{orderId}/status', { of: orderId, at: { orderId }, body: { store_id, status } });

/** Refunds the rest of the payment too, with `refund`: both happen, or neither. */
export const cancelOrder = (store_id: string, orderId: string, refund: boolean, { note, key }: Noted) =>
  send('PATCH /api/v1/orders/{orderId}/status', {
    of: orderId,
    at: { orderId },
    key,
    body: { store_id, status: 'cancelled', refund: refund || undefined, note: note || undefined },
  });

export const notifyDelay = (store_id: string, orderId: string, delayMinutes: number, { note, key }: Noted) =>
  send('POST /api/v1/orders/{orderId}/notify-delay', {
    of: orderId,
    at: { orderId },
    key,
    body: { store_id, delayMinutes, note: note || undefined },
  });

export type EarlierStatus = Status<'correct'>;

export const correctOrder = async (store_id: string, orderId: string, to_status: EarlierStatus, { note: reason = '', key }: Noted) =>
  (await send('POST /api/v1/orders/{orderId}/correct', { of: orderId, at: { orderId }, key, body: { store_id, to_status, reason } })).order;

/**
 * A null `amount` refunds the lines, or all that is left; null `lines` refund an amount. `attempt` stays the same until the outcome is
 * known: however often the button is pressed, it is one refund.
 */
export interface RefundRequest {
  readonly amount: number | null;
  readonly lines: readonly { readonly position: number; readonly quantity: number; readonly restock: boolean }[] | null;
  readonly reason: string;
  readonly attempt: string;
}

export const refund = (store_id: string, orderId: string, { amount, lines, reason, attempt: refund_attempt_id }: RefundRequest) =>
  send('POST /api/v1/orders/{orderId}/refund', {
    of: orderId,
    at: { orderId },
    body: { store_id, reason, refund_attempt_id, amount_pence: amount ?? undefined, lines: lines ?? undefined },
  });

export const storePath = (code: string) => pathTo('/api/v1/orders/stores', { code });

export const useZone = (): string | undefined => useRead(storePath(useStore().code)).data?.stores[0]?.time_zone;
