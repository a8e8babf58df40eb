import { randomUUID } from 'node:crypto';
import { until } from '@corner/testkit';
import { refusedWithRefund } from './order-refusals.ts';
import type { RefusalRun } from './refusal-run.ts';

export async function refuseMismatches(run: RefusalRun): Promise<void> {
  const { refused, done, pay, changeRow } = run;
  const { order_id: orderId, payment_intent_id = '' } = await done('createOrder');
  await changeRow(`update orders.orders set currency = 'EUR' where id = $1`, orderId as string);
  await pay(payment_intent_id);
  await refused('confirmOrder', 'PAYMENT_MISMATCH', { with: { payment_intent_id } });
  await refused('setBusinessStatus', 'PAYMENT_MISMATCH', { with: { orderId, status: 'cancelled' } });
  await refused('cancelMyOrder', 'PAYMENT_MISMATCH', { with: { orderId } });

  const { order_id: other = '' } = await done('createOrder');
  await changeRow(`update orders.orders set payment_intent_id = 'pi_ofanotheraccount' where id = $1`, other);
  const ofAnother = { payment_intent_id: 'pi_ofanotheraccount' };
  await refused('confirmOrder', 'PAYMENT_INTENT_NOT_ON_PLATFORM', { with: ofAnother });
}

export async function refuseOtherMode({ refused, done, paidOrder, changeRow }: RefusalRun): Promise<void> {
  const live = `update orders.orders set payment_mode = 'live' where id = $1`;
  const { orderId } = await paidOrder();
  await changeRow(live, orderId);
  await refused('refundOrder', 'PAYMENT_MODE_MISMATCH', { with: { orderId } });
  const key = { idempotency_key: randomUUID() };
  const { order_id = '', payment_intent_id } = await done('createOrder', { with: key });
  await changeRow(live, order_id);
  await refused('createOrder', 'PAYMENT_MODE_MISMATCH', { with: key });
  await refused('confirmOrder', 'PAYMENT_MODE_MISMATCH', { with: { payment_intent_id } });
}

export async function refuseWithoutProvider({ refused, done, simulate }: RefusalRun): Promise<void> {
  const { order_id: orderId, payment_intent_id } = await done('createOrder');
  for (const [name, fault, other] of [
    ['createOrder', { method: 'POST', path: '/v1/payment_intents' }, {}],
    ['confirmOrder', { method: 'GET', path: `/v1/payment_intents/${payment_intent_id}` }, { payment_intent_id }],
    ['setBusinessStatus', { method: 'POST', path: `/v1/payment_intents/${payment_intent_id}/cancel` }, { orderId, status: 'cancelled' }],
    ['cancelMyOrder', { method: 'POST', path: `/v1/payment_intents/${payment_intent_id}/cancel` }, { orderId }],
    ['linkAccount', { method: 'POST', path: '/v2/core/account_links' }, {}],
  ] as const) {
    // More faults than one request meets, since a job of the service may meet some.
    await simulate('fail-next', { ...fault, how: 'error_before', times: 20 });
    await refused(name, 'PAYMENT_PROVIDER_ERROR', { with: other });
    await simulate('clear-faults', {});
  }
}

export async function refuseDisputed({ refused, done, paidOrder, simulate }: RefusalRun): Promise<void> {
  const { orderId, intentId } = await paidOrder();
  const untilDisputed = (disputed: boolean) =>
    until(async () => ((await done('getOrder', { with: { orderId } })).order as unknown as Disputable).disputed === disputed, {
      describe: disputed ? 'the dispute to be noted' : 'its end to be noted',
    });
  const { id: dispute } = await simulate('open-dispute', { payment_intent: intentId });
  await untilDisputed(true);
  await refused('refundOrder', 'ORDER_DISPUTED', { with: { orderId } });
  await refusedWithRefund(refused, 'ORDER_DISPUTED', orderId);
  await simulate('close-dispute', { dispute, outcome: 'won' });
  await untilDisputed(false);
  await refused('refundOrder', 'REFUND_REJECTED', { with: { orderId } });
}

interface Disputable {
  readonly disputed: boolean;
}
