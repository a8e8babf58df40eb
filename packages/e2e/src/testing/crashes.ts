import { stores } from '@corner/sandbox/demo';
import type { ServiceProcess } from '@corner/sandbox/system';
import { until } from '@corner/testkit';
import { expect } from '@jest/globals';
import type { CrashedOrder } from '../faults/crash-points.ts';
import { checkAtRest } from './checker.ts';
import { basket, customerState, newShopper, pay, runOrderScenario, type Step } from './order-scenario.ts';
import { recordingClient } from './recording-client.ts';
import type { TestEnvironment } from './test-environment.ts';

async function holdWebhooks({ system }: TestEnvironment, hold: boolean): Promise<void> {
  const control = (command: string, body: object) =>
    fetch(`${system.paymentsUrl}/_sim/${command}`, { method: 'POST', body: JSON.stringify(body) });
  await control('delivery', { hold });
  if (!hold) await control('flush', {});
}

export async function completesDespite(environment: TestEnvironment, beforeStep: (step: Step) => Promise<void>): Promise<void> {
  const shopper = await newShopper(environment.system);
  await runOrderScenario({ ...environment, beforeStep }, shopper);
  expect(await checkAtRest(environment.system, environment.history)).toEqual([]);
  expect(await customerState(environment.system, environment.history, shopper)).toMatchObject({
    stamp_count: 0,
    total_spent_pence: 0,
    order_count: 1,
  });
}

export async function completesDespiteCrashes(environment: TestEnvironment, { service, points, withoutWebhooks }: CrashedOrder) {
  await holdWebhooks(environment, withoutWebhooks ?? false);
  const process = environment.system.services[service];
  await process.restart({ env: { CRASH_AT: points[0] } });
  const died: string[] = [];
  const dying = dieAt(process, points, died);
  await completesDespite(environment, async () => {});
  // Without a crash at each point the test would prove nothing. The process may die after the last effect.
  await until(() => died.length === points.length, { describe: `a crash at each of ${points.join(', ')}` });
  await dying;
  await holdWebhooks(environment, false);
}

async function dieAt(process: ServiceProcess, points: readonly string[], died: string[]): Promise<void> {
  for (const [index, point] of points.entries()) {
    expect(await process.exited).toMatchObject({ signal: 'SIGKILL' });
    died.push(point);
    const next = points[index + 1];
    await process.restart(next === undefined ? {} : { env: { CRASH_AT: next } }).catch((error: unknown) => {
      if (process.running) throw error;
    });
  }
}

/** Cancels a paid order that orders knows as unpaid, crashes at `point`, and expects a cancelled order and one refund. */
export async function cancelsDespiteCrash(environment: TestEnvironment, point: string): Promise<void> {
  const { system, history } = environment;
  const store_id = stores.coffee.id;
  const process = system.services.orders;
  // No event of the payment comes before the order is cancelled.
  await holdWebhooks(environment, true);
  const shopper = await newShopper(system);
  const client = (operation: string, token: string) =>
    recordingClient(system.gatewayUrl, history, { operation, token, key: `${shopper.key}:${operation}` });
  // A job applies the payment once the order is old enough, so nothing slow may come between here and the cancellation.
  await process.restart({ env: { CRASH_AT: point } });
  const { data: order } = await client('create', shopper.customer).POST('/api/v1/orders', { body: basket(shopper.key) });
  await pay(system, history, order.payment_intent_id ?? '');
  const params = { path: { orderId: order.order_id } };
  const body = { store_id, status: 'cancelled' } as const;
  const cancelling = client('cancel', shopper.merchant).PATCH('/api/v1/orders/{orderId}/status', { params, body });
  expect(await Promise.race([process.exited, cancelling])).toMatchObject({ signal: 'SIGKILL' });
  await process.restart();
  await cancelling;
  await holdWebhooks(environment, false);
  const merchant = client('read', shopper.merchant);
  const read = async () => (await merchant.GET('/api/v1/orders/{orderId}', { params: { ...params, query: { store_id } } })).data.order;
  await until(async () => (await read()).status === 'refunded', { describe: 'the payment to be refunded' });
  expect((await read()).fulfilment_status).toBe('cancelled');
  expect(await checkAtRest(system, history)).toEqual([]);
}
