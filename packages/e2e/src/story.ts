import { randomUUID } from 'node:crypto';
import { people, type RunningSystem, simulatorKey, stores, storyOrder } from '@corner/sandbox';
import { until } from '@corner/testkit';
import { attempt, cornerFor } from './client.ts';
import type { History } from './history.ts';

/** Who walks an order through: a customer of their own, so that what is left of the story can be told from all others. */
export interface Walker {
  readonly customerId: string;
  readonly customer: string;
  readonly merchant: string;
  readonly key: string;
}

export async function newWalker(system: RunningSystem): Promise<Walker> {
  const customerId = randomUUID();
  return {
    customerId,
    customer: await system.tokens.token({ typ: 'customer', sub: customerId }),
    merchant: await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [stores.coffee.id], name: people.bo.name }),
    key: randomUUID(),
  };
}

/** What a story ended with. */
export interface OutboxEntry {
  readonly orderId: string;
  readonly intentId: string;
  readonly walker: Walker;
}

export interface EventToPublish {
  readonly system: RunningSystem;
  readonly history: History;
  readonly traceId?: string;
  /** Called with each step's name before it is taken, so that a fault can be placed. */
  readonly before?: (step: Step) => Promise<void>;
}

export const steps = ['create', 'pay', 'confirm', 'earn', 'preparing', 'ready', 'collected', 'refund', 'reverse'] as const;
export type Step = (typeof steps)[number];

/** Places an order, pays, confirms, earns, advances, refunds, and waits until the stamps are taken back; whatever fails on the way is repeated. */
export async function narrateStory(
  { system, history, traceId, before = async () => {} }: EventToPublish,
  walker: Walker,
  patienceMs = 30_000,
): Promise<OutboxEntry> {
  const store_id = stores.coffee.id;
  /** The client for a step, under the walker's own key for it. */
  const at = async (operation: Step, token: string) => {
    await before(operation);
    return cornerFor(system.gatewayUrl, history, { operation, token, traceId, key: `${walker.key}:${operation}` }, patienceMs);
  };

  const create = await at('create', walker.customer);
  const { data: order } = await create.POST('/api/v1/orders', { body: basket(walker.key) });
  const [orderId, intentId] = [order.order_id, order.payment_intent_id ?? ''];
  await before('pay');
  await pay(system, history, intentId);
  const confirm = await at('confirm', walker.customer);
  await confirm.POST('/api/v1/orders/confirm', { body: { store_id, payment_intent_id: intentId } });
  await before('earn');
  await untilStamps(system, history, walker, 1, patienceMs);
  const params = { path: { orderId } };
  for (const to_status of ['preparing', 'ready', 'collected'] as const) {
    const advance = await at(to_status, walker.merchant);
    await advance.PATCH('/api/v1/orders/{orderId}/fulfilment', { params, body: { store_id, to_status } });
  }
  const refund = await at('refund', walker.merchant);
  const wish = { store_id, reason: 'It was cold.', refund_attempt_id: walker.key };
  await refund.POST('/api/v1/orders/{orderId}/refund', { params, body: wish });
  await before('reverse');
  await untilStamps(system, history, walker, 0, patienceMs);
  return { orderId, intentId, walker };
}

/** A basket of the demo's menu, for one customer's key. */
export const basket = (key: string) => ({
  store_code: stores.coffee.code,
  store_id: stores.coffee.id,
  idempotency_key: key,
  items: storyOrder.items.map((item) => ({ ...item })),
  order_type: 'collect' as const,
  collection_mode: 'now' as const,
});

/** Pays as the payment sheet does, at the provider. A payment that had succeeded already stays paid. */
export async function pay(system: RunningSystem, history: History, intentId: string, method = 'pm_card_visa'): Promise<void> {
  const url = `${system.paymentsUrl}/v1/payment_intents/${intentId}`;
  const headers = { authorization: `Bearer ${simulatorKey}` };
  const card = new URLSearchParams({ payment_method: method });
  await until(
    async () => {
      const paid = await attempt(history, { operation: 'pay' }, new Request(`${url}/confirm`, { method: 'POST', headers, body: card }));
      const now = paid.status === 200 ? paid : await attempt(history, { operation: 'read intent' }, new Request(url, { headers }));
      return now.body.status === 'succeeded';
    },
    { describe: `payment ${intentId} to succeed` },
  );
}

/** The customer's state at the coffee bar. */
export async function customerState({ gatewayUrl }: RunningSystem, history: History, { customerId, merchant }: Walker) {
  const corner = cornerFor(gatewayUrl, history, { operation: 'state', token: merchant });
  const query = { store_id: stores.coffee.id, customer_id: customerId };
  return (await corner.GET('/api/v1/loyalty/customer-state', { params: { query } })).data;
}

async function untilStamps(system: RunningSystem, history: History, walker: Walker, count: number, timeoutMs: number): Promise<void> {
  const earned = async () => (await customerState(system, history, walker)).stamp_count === count;
  await until(earned, { describe: `${count} stamps`, timeoutMs });
}
