import { randomUUID } from 'node:crypto';
import { people, type RunningSystem, simulatorKey, stores, storyOrder } from '@corner/sandbox';
import { type Answered, send, sendUntilAnswered } from './client.ts';
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
export interface Told {
  readonly orderId: string;
  readonly intentId: string;
  readonly walker: Walker;
}

export interface Telling {
  readonly system: RunningSystem;
  readonly history: History;
  readonly traceId?: string;
  /** Called with each step's name before it is taken, so that a fault can be placed. */
  readonly before?: (step: Step) => Promise<void>;
}

export const steps = ['create', 'pay', 'confirm', 'earn', 'preparing', 'ready', 'collected', 'refund', 'reverse'] as const;
export type Step = (typeof steps)[number];

/** Places an order, pays, confirms, earns, advances, refunds, and waits until the stamps are taken back; whatever fails on the way is repeated. */
export async function tellStory(
  { system, history, traceId, before = async () => {} }: Telling,
  walker: Walker,
  patienceMs = 30_000,
): Promise<Told> {
  const common = traceId ? { traceId } : {};
  const api = (path: string) => `${system.gatewayUrl}/api/v1${path}`;
  const customer = async (operation: Step, path: string, body: unknown) => {
    await before(operation);
    return must(
      operation,
      await sendUntilAnswered(
        history,
        {
          ...common,
          operation,
          method: 'POST',
          url: api(path),
          token: walker.customer,
          body,
          key: `${walker.key}:${operation}`,
        },
        patienceMs,
      ),
    );
  };
  const counter = async (operation: Step, method: 'POST' | 'PATCH', path: string, body: unknown) => {
    await before(operation);
    return must(
      operation,
      await sendUntilAnswered(
        history,
        {
          ...common,
          operation,
          method,
          url: api(path),
          token: walker.merchant,
          body,
          key: `${walker.key}:${operation}`,
        },
        patienceMs,
      ),
    );
  };

  const created = await customer('create', '/orders', basket(walker.key));
  const [orderId, intentId] = [String(created.order_id), String(created.payment_intent_id)];
  await before('pay');
  await pay(system, history, intentId);
  await customer('confirm', '/orders/confirm', { store_id: stores.coffee.id, payment_intent_id: intentId });
  await before('earn');
  await untilStamps(system, history, walker, 1, patienceMs);
  for (const to_status of ['preparing', 'ready', 'collected'] as const) {
    await counter(to_status, 'PATCH', `/orders/${orderId}/fulfilment`, { store_id: stores.coffee.id, to_status });
  }
  await counter('refund', 'POST', `/orders/${orderId}/refund`, {
    store_id: stores.coffee.id,
    reason: 'It was cold.',
    refund_attempt_id: walker.key,
  });
  await before('reverse');
  await untilStamps(system, history, walker, 0, patienceMs);
  return { orderId, intentId, walker };
}

/** A basket of the demo's menu, for one customer's key. */
export const basket = (key: string) => ({
  store_code: stores.coffee.code,
  store_id: stores.coffee.id,
  idempotency_key: key,
  items: storyOrder.items,
  order_type: 'collect',
  collection_mode: 'now',
});

function must(operation: string, answer: Answered): Record<string, unknown> {
  if (answer.status === 200) return answer.body;
  throw new Error(`${operation} was answered ${answer.status}: ${answer.text}`);
}

/** Pays as the payment sheet does, at the provider. A payment that had succeeded already stays paid. */
export async function pay(system: RunningSystem, history: History, intentId: string): Promise<void> {
  const url = `${system.paymentsUrl}/v1/payment_intents/${intentId}`;
  const answer = await sendUntilAnswered(history, {
    operation: 'pay',
    method: 'POST',
    url: `${url}/confirm`,
    token: simulatorKey,
    form: { payment_method: 'pm_card_visa' },
  });
  if (answer.status === 200) return;
  const now = await send(history, { operation: 'read intent', method: 'GET', url, token: simulatorKey });
  if (now.body.status !== 'succeeded') throw new Error(`the payment was answered ${answer.status}: ${answer.text}`);
}

/** The customer's state at the coffee bar. */
export async function customerState(system: RunningSystem, history: History, walker: Walker): Promise<Record<string, unknown>> {
  const url = `${system.gatewayUrl}/api/v1/loyalty/customer-state?store_id=${stores.coffee.id}&customer_id=${walker.customerId}`;
  return must('state', await sendUntilAnswered(history, { operation: 'state', method: 'GET', url, token: walker.merchant }));
}

async function untilStamps(system: RunningSystem, history: History, walker: Walker, count: number, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const state = await customerState(system, history, walker);
    if (state.stamp_count === count) return;
    if (performance.now() > until) throw new Error(`stamps stay at ${state.stamp_count} instead of ${count}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
