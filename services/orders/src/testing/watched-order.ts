import { randomUUID } from 'node:crypto';
import type { Caller } from '@corner/chassis';
import { until } from '@corner/testkit';
import { createOrder } from '../checkout/operations.ts';
import { confirmOrder } from '../confirmation/operations.ts';
import { stripeWebhook } from '../events/webhooks.ts';
import { advanceFulfilment } from '../fulfilment/operations.ts';
import { getOrder, listOrders, orderLog } from '../order/operations.ts';
import { refundOrder } from '../refunds/operations.ts';
import { basketOf } from './callers.ts';
import { eventOf, sign, storedEventsOf } from './provider-events.ts';
import { type OpenStore, type Running, webhookSecrets } from './running.ts';
import { watchWork } from './work.ts';

/** A customer's order whose steps are run one by one. Each returns its round trips in order. */
export function watchedOrder(running: Running, store: OpenStore, sub: string = randomUUID()) {
  const { context, done } = watchWork(running);
  const caller = { type: 'customer', id: sub, name: 'Ada', stores: new Map([[store.id, 'owner']]) } as unknown as Caller;
  const order = { id: '', intent: '' };
  const counting = async (step: () => Promise<unknown>): Promise<readonly string[]> => {
    done.length = 0;
    await step();
    return [...done];
  };
  const request = (parts: object) => ({ caller, params: {}, query: {}, body: {}, header: () => undefined, ...parts }) as never;
  return {
    order,
    request,
    context,
    counting,
    create: (basket: Record<string, unknown> = {}) =>
      counting(async () => {
        const placed = await createOrder(request({ body: basketOf(store, basket) }), context);
        Object.assign(order, { id: placed.order_id, intent: placed.payment_intent_id });
      }),
    confirm: () => counting(() => confirmOrder(request({ body: { store_id: store.id, payment_intent_id: order.intent } }), context)),
    webhook: (event = eventOf('payment_intent.succeeded', order.intent)) =>
      counting(async () => {
        const body = JSON.stringify(event);
        const signature = sign(body, webhookSecrets[0], running.clock.now());
        const sent = { params: {}, query: new URLSearchParams(), body: Buffer.from(body), caller, header: () => signature };
        await stripeWebhook.run(sent, context);
        const isProcessed = async () => (await storedEventsOf(running, event.id))[0]?.processed === true;
        await until(isProcessed, { describe: 'the event to be processed' });
      }),
    refund: (amount_pence?: number) =>
      counting(() =>
        refundOrder(
          request({
            params: { orderId: order.id },
            body: { store_id: store.id, reason: 'It was cold.', amount_pence },
            idempotencyKey: randomUUID(),
          }),
          context,
        ),
      ),
    get: () => counting(() => getOrder(request({ params: { orderId: order.id }, query: { store_id: store.id } }), context)),
    list: (scope: string) => counting(() => listOrders(request({ query: { scope, store_id: store.id, limit: 20 } }), context)),
    log: () => counting(() => orderLog(request({ params: { orderId: order.id } }), context)),
    advance: (to_status: string) =>
      counting(() => advanceFulfilment(request({ params: { orderId: order.id }, body: { store_id: store.id, to_status } }), context)),
  };
}
