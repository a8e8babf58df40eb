import { randomUUID } from 'node:crypto';
import type { OpenStore, Running } from './running.ts';

export interface ApiResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as a caller would
  readonly body: any;
  readonly headers: Headers;
}

export const codeOf = ({ status, body }: ApiResponse) => [status, body.error?.code];

type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<ApiResponse>;

const scope = 'merchant:read customer:read';

const sendRaw = (running: Running, token: string, ...[method, path, body, headers]: Parameters<Send>): Promise<Response> =>
  fetch(`${running.service.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function send(...request: Parameters<typeof sendRaw>): Promise<ApiResponse> {
  const response = await sendRaw(...request);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

export function customer(running: Running, sub: string = randomUUID()) {
  const token = () => running.issuer.token({ typ: 'customer', sub, scope });
  const call: Send = async (...request) => await send(running, await token(), ...request);
  const confirm = (store: OpenStore, intentId: string) =>
    call('POST', '/api/v1/orders/confirm', { store_id: store.id, payment_intent_id: intentId });
  async function payAndConfirm(
    store: OpenStore,
    { payment_intent_id: intentId }: ApiResponse['body'],
    card?: string,
  ): Promise<ApiResponse> {
    await pay(running, intentId, card);
    return await confirm(store, intentId);
  }
  return {
    sub,
    call,
    open: async (path: string, headers: Record<string, string> = {}) =>
      await sendRaw(running, await token(), 'GET', path, undefined, headers),
    create: (store: OpenStore, request: Record<string, unknown> = {}) => call('POST', '/api/v1/orders', basketOf(store, request)),
    confirm,
    payAndConfirm,
    async paid(store: OpenStore, request: Record<string, unknown> = {}): Promise<ApiResponse['body']> {
      const { body: order } = await call('POST', '/api/v1/orders', basketOf(store, request));
      if (order.requires_payment) await payAndConfirm(store, order);
      return order;
    },
  };
}

export function worker(running: Running, store: OpenStore, typ: 'staff' | 'merchant' = 'staff') {
  const role = typ === 'merchant' ? 'owner' : 'staff';
  const claims = { typ, scope, name: 'Ada', sub: randomUUID(), stores: [{ id: store.id, role }] } as const;
  const call: Send = async (...request) => await send(running, await running.issuer.token(claims), ...request);
  return {
    sub: claims.sub,
    call,
    get: (orderId: string) => call('GET', `/api/v1/orders/${orderId}?store_id=${store.id}`),
    advance: (orderId: string, to_status: string, more: { readonly refund?: boolean } = {}) =>
      call('PATCH', `/api/v1/orders/${orderId}/fulfilment`, { store_id: store.id, to_status, ...more }),
    refund: (orderId: string, request: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
      call('POST', `/api/v1/orders/${orderId}/refund`, { store_id: store.id, reason: 'It was cold.', ...request }, headers),
  };
}

/** A request to create an order, by default of one flat white and one croissant for 640 pence. */
export const basketOf = (store: OpenStore, request: Record<string, unknown> = {}) => ({
  store_id: store.id,
  store_code: store.code,
  idempotency_key: randomUUID(),
  items: [
    { menu_item_id: 'flat-white', quantity: 1 },
    { menu_item_id: 'croissant', quantity: 1 },
  ],
  ...request,
});

/** Pays an intent at the provider with a card, like the payment sheet. Returns the provider's response: the intent or an error. */
export async function pay(running: Running, intentId: string, card = 'pm_card_visa'): Promise<ApiResponse['body']> {
  const response = await fetch(`${running.payments.url}/v1/payment_intents/${intentId}/confirm`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_corner' },
    body: new URLSearchParams({ payment_method: card }),
  });
  return await response.json();
}
