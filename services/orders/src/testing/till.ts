import { randomUUID } from 'node:crypto';
import { type findCustomer, findCustomer as findCustomerRpc, type RpcInput, rpcSubject } from '@corner/contracts';
import { type ApiResponse, worker } from './callers.ts';
import type { OpenStore, Running } from './running.ts';

const goods = [
  { menu_item_id: 'flat-white', quantity: 1 },
  { menu_item_id: 'croissant', quantity: 1 },
];

/** A store's till, with a member of its staff, or with a partner and its token. A sale is by default of 640 pence, in cash. */
export function tillOf(running: Running, store: OpenStore, partner?: { readonly scopes: string }) {
  const bo = worker(running, store);
  const partnerCall: typeof bo.call = async (method, path, body, headers) => {
    const token = await running.issuer.token({
      typ: 'partner',
      sub: randomUUID(),
      name: 'Kiosk',
      scope: partner?.scopes ?? '',
      stores: [{ id: store.id, role: 'staff' }],
    });
    const response = await fetch(`${running.service.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };
  const call = partner ? partnerCall : bo.call;
  const keyed = (key: string | undefined) => (key === undefined ? {} : { 'Idempotency-Key': key });
  return {
    ...bo,
    call,
    sell: (sale: Record<string, unknown> = { tenders: [{ kind: 'cash' }] }, key?: string): Promise<ApiResponse> =>
      call('POST', '/api/v1/orders/at-counter', { store_id: store.id, items: goods, ...sale }, keyed(key)),
    async open(sale: Record<string, unknown> = {}): Promise<string> {
      const { body } = await call('POST', '/api/v1/orders/at-counter', { store_id: store.id, items: goods, ...sale });
      return body.order.id;
    },
    pay: (orderId: string, tenders: readonly Record<string, unknown>[], key?: string): Promise<ApiResponse> =>
      call('POST', `/api/v1/orders/${orderId}/tenders`, { store_id: store.id, tenders }, keyed(key)),
  };
}

/** Replies for loyalty to look-ups of customers, until disposed. `found` has the customers by typed text. */
export async function startLookUps({ service }: Running, found: Readonly<Record<string, readonly string[]>>) {
  const { broker } = await service.backbone;
  const asked: RpcInput<typeof findCustomer>[] = [];
  const subscription = broker.connection.subscribe(broker.subject(rpcSubject(findCustomerRpc)), {
    callback(_error, message) {
      const input = message.json<RpcInput<typeof findCustomer>>();
      asked.push(input);
      message.respond(JSON.stringify({ output: { customer_ids: found[input.q] ?? [] } }));
    },
  });
  await broker.connection.flush();
  return { asked, [Symbol.asyncDispose]: () => subscription.drain() };
}
