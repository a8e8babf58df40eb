import { randomUUID } from 'node:crypto';
import type { CornerClient } from '@corner/client';
import { people, stores, storyOrder } from '@corner/sandbox/demo';
import { type RunningSystem, simulatorKey } from '@corner/sandbox/system';
import type { History } from '@corner/simulation';
import { until } from '@corner/testkit';
import { recordAttempt, recordingClient } from './recording-client.ts';

export interface Shopper {
  readonly customerId: string;
  readonly customer: string;
  readonly merchant: string;
  readonly key: string;
}

export async function newShopper(system: RunningSystem, customerId: string = randomUUID()): Promise<Shopper> {
  return {
    customerId,
    customer: await system.tokens.token({ typ: 'customer', sub: customerId }),
    merchant: await system.tokens.token({ typ: 'merchant', sub: people.bo.id, stores: [stores.coffee.id], name: people.bo.name }),
    key: randomUUID(),
  };
}

interface ScenarioResult {
  readonly orderId: string;
  readonly intentId: string;
  readonly shopper: Shopper;
}

interface ScenarioOptions {
  readonly system: RunningSystem;
  readonly history: History;
  readonly traceId?: string;
  readonly beforeStep?: (step: Step) => Promise<void>;
}

const steps = ['create', 'pay', 'confirm', 'earn', 'preparing', 'ready', 'collected', 'refund', 'reverse'] as const;
export type Step = (typeof steps)[number];

/**
 * Places an order, pays, confirms, waits for the stamp, advances fulfilment, refunds and waits until the stamp is reversed. Retries each
 * step. `beforeStep` may inject a fault.
 */
export async function runOrderScenario(
  { system, history, traceId, beforeStep = async () => {} }: ScenarioOptions,
  shopper: Shopper,
): Promise<ScenarioResult> {
  const store_id = stores.coffee.id;
  const clientFor = async (operation: Step, token: string) => {
    await beforeStep(operation);
    return recordingClient(system.gatewayUrl, history, { operation, token, traceId, key: `${shopper.key}:${operation}` });
  };

  const create = await clientFor('create', shopper.customer);
  const { data: order } = await create.POST('/api/v1/orders', { body: basket(shopper.key) });
  const [orderId, intentId] = [order.order_id, order.payment_intent_id ?? ''];
  await beforeStep('pay');
  await pay(system, history, intentId);
  const confirm = await clientFor('confirm', shopper.customer);
  await confirm.POST('/api/v1/orders/confirm', { body: { store_id, payment_intent_id: intentId } });
  await beforeStep('earn');
  await untilStamps(system, history, shopper, 1);
  const params = { path: { orderId } };
  for (const to_status of ['preparing', 'ready', 'collected'] as const) {
    const advance = await clientFor(to_status, shopper.merchant);
    await advance.PATCH('/api/v1/orders/{orderId}/fulfilment', { params, body: { store_id, to_status } });
  }
  const refund = await clientFor('refund', shopper.merchant);
  const request = { store_id, reason: 'It was cold.', refund_attempt_id: shopper.key };
  await refund.POST('/api/v1/orders/{orderId}/refund', { params, body: request });
  await beforeStep('reverse');
  await untilStamps(system, history, shopper, 0);
  return { orderId, intentId, shopper };
}

export const basket = (key: string) => ({
  store_code: stores.coffee.code,
  store_id: stores.coffee.id,
  idempotency_key: key,
  items: storyOrder.items.map((item) => ({ ...item })),
  order_type: 'collect' as const,
  collection_mode: 'now' as const,
});

/** Pays as the payment sheet does. Resolves when the intent has succeeded, also when it had before. */
export async function pay(system: RunningSystem, history: History, intentId: string, method = 'pm_card_visa'): Promise<void> {
  const url = `${system.paymentsUrl}/v1/payment_intents/${intentId}`;
  const headers = { authorization: `Bearer ${simulatorKey}` };
  const card = new URLSearchParams({ payment_method: method });
  await until(
    async () => {
      const paid = await recordAttempt(
        history,
        { operation: 'pay' },
        new Request(`${url}/confirm`, { method: 'POST', headers, body: card }),
      );
      const intent = paid.status === 200 ? paid : await recordAttempt(history, { operation: 'read intent' }, new Request(url, { headers }));
      return intent.body.status === 'succeeded';
    },
    { describe: `payment ${intentId} to succeed` },
  );
}

export async function payAndConfirm(
  { system, history }: Pick<ScenarioOptions, 'system' | 'history'>,
  client: CornerClient,
  store_id: string,
  placed: { readonly payment_intent_id?: string | null },
) {
  const payment_intent_id = placed.payment_intent_id ?? '';
  await pay(system, history, payment_intent_id);
  return (await client.POST('/api/v1/orders/confirm', { body: { store_id, payment_intent_id } })).data;
}

export async function customerState({ gatewayUrl }: RunningSystem, history: History, { customerId, merchant }: Shopper) {
  const corner = recordingClient(gatewayUrl, history, { operation: 'state', token: merchant });
  const query = { store_id: stores.coffee.id, customer_id: customerId };
  return (await corner.GET('/api/v1/loyalty/customer-state', { params: { query } })).data;
}

async function untilStamps(system: RunningSystem, history: History, shopper: Shopper, count: number): Promise<void> {
  const earned = async () => (await customerState(system, history, shopper)).stamp_count === count;
  await until(earned, { describe: `${count} stamps` });
}
