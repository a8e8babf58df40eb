import { randomUUID } from 'node:crypto';
import { stores } from '@corner/sandbox/demo';
import { until } from '@corner/testkit';
import { expect } from '@jest/globals';
import { type Barber, barberOf } from './barber.ts';
import { customerState, newShopper, runOrderScenario, type Shopper, type Step } from './order-scenario.ts';
import { callWithRetries } from './recording-client.ts';
import type { TestEnvironment } from './test-environment.ts';

const store_id = stores.coffee.id;

export async function runReleaseScenarios(environment: TestEnvironment): Promise<void> {
  const barber = barberOf(environment);
  const [payer = '', drinker = '', sitter = ''] = await barber.newCustomers(3);
  await Promise.all([paidOrder(environment, barber, payer), freeOrder(environment, drinker), turnAtTheBarber(barber, sitter)]);
}

async function paidOrder(environment: TestEnvironment, barber: Barber, customerId: string): Promise<void> {
  const notified = async () => (await barber.titles(customerId)).some((title) => /^Order \S+ is ready$/.test(title));
  const beforeStep = async (step: Step) => {
    if (step === 'collected') await until(notified, { describe: 'the message that the order is ready' });
  };
  await runOrderScenario({ ...environment, beforeStep }, await newShopper(environment.system, customerId));
}

async function freeOrder(environment: TestEnvironment, customerId: string): Promise<void> {
  const { system, history } = environment;
  const shopper = await newShopper(system, customerId);
  const post = async (path: string, token: string, body: object, key = randomUUID()) => {
    const url = `${system.gatewayUrl}/api/v1${path}`;
    const call = { operation: path === '/orders' ? 'create' : path, method: 'POST', url, token, key, body: { store_id, ...body } } as const;
    const response = await callWithRetries(history, call);
    expect({ path, status: response.status, body: response.body }).toMatchObject({ status: 200 });
    return response.body;
  };
  for (let n = 0; n < 5; n += 1)
    await post('/loyalty/stamps', shopper.merchant, { customer_id: customerId, idempotency_key: randomUUID() });
  const voucher = await untilVoucher(environment, shopper);
  const order = await post('/orders', shopper.customer, {
    store_code: stores.coffee.code,
    idempotency_key: shopper.key,
    items: [{ menu_item_id: 'flat-white', quantity: 1 }],
    voucher_id: voucher,
  });
  expect(order).toMatchObject({ status: 'paid', amount_pence: 0, requires_payment: false });
  await post(`/orders/${order.order_id}/refund`, shopper.merchant, { reason: 'It rained.' });
  expect(await untilVoucher(environment, shopper)).toBe(voucher);
}

async function untilVoucher({ system, history }: TestEnvironment, shopper: Shopper): Promise<string> {
  const first = async () => ((await customerState(system, history, shopper)).active_vouchers as readonly { readonly id: string }[])[0]?.id;
  return await until(first, { describe: 'an active voucher' });
}

async function turnAtTheBarber(barber: Barber, customerId: string): Promise<void> {
  const { move } = await barber.join(customerId);
  await move('call');
  await barber.untilReceived(customerId, 'It is your turn');
  await move('assign');
  await move('complete');
}
