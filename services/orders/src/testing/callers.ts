import { randomUUID } from 'node:crypto';
import type { OpenStore, Running } from './running.ts';

/** An answer as it came over HTTP. */
export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as a caller would
  readonly body: any;
  readonly headers: Headers;
}

type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answered>;

const scope = 'merchant:read customer:read orders:write orders:refund loyalty:write queue:write';

async function send(running: Running, token: string, ...[method, path, body, headers]: Parameters<Send>): Promise<Answered> {
  const response = await fetch(`${running.service.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** A customer; each request is signed at the time the clock then shows. */
export function customer(running: Running, sub: string = randomUUID()) {
  const call: Send = async (...request) => await send(running, await running.issuer.token({ typ: 'customer', sub, scope }), ...request);
  return {
    sub,
    call,
    create: (store: OpenStore, wish: Record<string, unknown> = {}) => call('POST', '/api/v1/orders', basketOf(store, wish)),
    confirm: (store: OpenStore, intentId: string) =>
      call('POST', '/api/v1/orders/confirm', { store_id: store.id, payment_intent_id: intentId }),
    /** An order that is paid and confirmed. */
    async paid(store: OpenStore, wish: Record<string, unknown> = {}): Promise<Answered['body']> {
      const { body: order } = await call('POST', '/api/v1/orders', basketOf(store, wish));
      if (order.requires_payment) await pay(running, order.payment_intent_id);
      if (order.requires_payment)
        await call('POST', '/api/v1/orders/confirm', { store_id: store.id, payment_intent_id: order.payment_intent_id });
      return order;
    },
  };
}

/** Somebody who works at a store: staff, or its merchant. */
export function worker(running: Running, store: OpenStore, typ: 'staff' | 'merchant' = 'staff') {
  const role = typ === 'merchant' ? 'owner' : 'staff';
  const claims = { typ, scope, name: 'Ada', sub: randomUUID(), stores: [{ id: store.id, role }] } as const;
  const call: Send = async (...request) => await send(running, await running.issuer.token(claims), ...request);
  return {
    call,
    get: (orderId: string) => call('GET', `/api/v1/orders/${orderId}?store_id=${store.id}`),
    advance: (orderId: string, to_status: string) =>
      call('PATCH', `/api/v1/orders/${orderId}/fulfilment`, { store_id: store.id, to_status }),
    refund: (orderId: string, wish: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
      call('POST', `/api/v1/orders/${orderId}/refund`, { store_id: store.id, reason: 'It was cold.', ...wish }, headers),
  };
}

/** One flat white and one croissant, 640 pence, unless wished otherwise. */
export const basketOf = (store: OpenStore, wish: Record<string, unknown> = {}) => ({
  store_id: store.id,
  store_code: store.code,
  idempotency_key: randomUUID(),
  items: [
    { menu_item_id: 'flat-white', quantity: 1 },
    { menu_item_id: 'croissant', quantity: 1 },
  ],
  ...wish,
});

/** What the payment sheet does: pays an intent at the provider with a card. Answers the intent, or the refusal. */
export async function pay(running: Running, intentId: string, card = 'pm_card_visa'): Promise<Answered['body']> {
  const response = await fetch(`${running.payments.url}/v1/payment_intents/${intentId}/confirm`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_corner' },
    body: new URLSearchParams({ payment_method: card }),
  });
  return await response.json();
}
