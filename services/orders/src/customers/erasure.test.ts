import { randomUUID } from 'node:crypto';
import { erasedEvent, erasureBy, exportedBy } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { jobs } from '../service.ts';
import { customer, worker } from '../testing/callers.ts';
import { customerNamedZed } from '../testing/customers.ts';
import { startLoyalty } from '../testing/loyalty.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;
let store: OpenStore;
beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => await running[Symbol.asyncDispose]());

const finish = () => jobs.finishErasures.run(running.service.context);
async function consume(event: ReturnType<typeof erasedEvent>): Promise<void> {
  await running.publish(event);
  await running.processed(event);
}

async function orderWithNote() {
  const zed = customer(running);
  const request = {
    idempotency_key: randomUUID(),
    order_type: 'collect',
    collection_mode: 'now',
    items: [{ menu_item_id: 'flat-white', quantity: 1, note: 'for Zed' }],
  };
  const { body: order } = await zed.create(store, request);
  await zed.payAndConfirm(store, order);
  await consume(customerNamedZed(zed.sub, 1));
  return { zed, request, id: order.order_id as string, atProvider: order.payment_customer_id as string };
}
const Row = z.object({ note: z.string().nullable(), total_pence: z.number(), named: z.boolean() });
const orderOf = (id: string) =>
  running.service.database.one(sql.type(Row)`
    select l.note, o.total_pence, exists (select from contact c where c.customer_id = o.customer_id) as named
    from orders o join order_line l on l.order_id = o.id where o.id = ${id}`);
const customers = () =>
  running.payments
    .books()
    .customers.filter(({ metadata }) => metadata.deleted !== 'true')
    .map(({ id }) => id);

test('an order under way is finished first; then it has no person, and the provider’s customer is deleted', async () => {
  const { zed, request, id, atProvider } = await orderWithNote();
  expect(await exportedBy(running, 'orders', zed.sub)).toMatchObject({
    contact: [{ name: 'Zed' }],
    orders: [{ total_pence: 350, lines: [{ note: 'for Zed' }] }],
    'customer at the payment provider': [{ provider_id: atProvider }],
  });
  await consume(erasedEvent(zed.sub));
  await finish();
  expect(await orderOf(id)).toEqual({ note: 'for Zed', total_pence: 350, named: false });
  expect(customers()).toContain(atProvider);
  expect(await erasureBy(running, 'orders', zed.sub)).toMatchObject({ isDone: false });

  const staff = worker(running, store);
  for (const status of ['preparing', 'ready', 'collected']) await staff.advance(id, status);
  await consume(customerNamedZed(zed.sub, 9));
  await finish();
  expect(await orderOf(id)).toEqual({ note: null, total_pence: 350, named: false });
  expect(customers()).not.toContain(atProvider);
  const done = await erasureBy(running, 'orders', zed.sub);
  expect(done?.isDone).toBe(true);
  expect(done?.steps).toContain('The customer at the payment provider was deleted, with their payment methods.');
  for (const key of [randomUUID(), request.idempotency_key])
    expect((await zed.create(store, { ...request, idempotency_key: key })).status).toBe(401);
});

test('an order that no one ends keeps an erasure for a week, and is then no one’s', async () => {
  const { zed, id, atProvider } = await orderWithNote();
  await consume(erasedEvent(zed.sub));
  running.clock.advance({ days: 7, minutes: -1 });
  await finish();
  expect([await orderOf(id), (await erasureBy(running, 'orders', zed.sub))?.isDone]).toMatchObject([{ note: 'for Zed' }, false]);
  running.clock.advance({ hours: 1 });
  await finish();
  expect(await orderOf(id)).toEqual({ note: null, total_pence: 350, named: false });
  expect(customers()).not.toContain(atProvider);
  expect(await erasureBy(running, 'orders', zed.sub)).toMatchObject({ isDone: true });
  const staff = worker(running, store);
  for (const status of ['preparing', 'ready', 'collected']) expect((await staff.advance(id, status)).status).toBe(200);
});

test.each(['lost_after', 'lost_before', 'error_before', 'rate_limited'] as const)(
  'a deletion at the provider that ends as %s is made again, once',
  async (fault) => {
    const { zed, id, atProvider } = await orderWithNote();
    const staff = worker(running, store);
    for (const status of ['preparing', 'ready', 'collected']) await staff.advance(id, status);
    await consume(erasedEvent(zed.sub));
    running.payments.controls.failNext({ how: fault, path: `/v1/customers/${atProvider}`, times: 5 });
    await finish();
    running.payments.controls.clearFaults();
    await finish();
    expect(customers()).not.toContain(atProvider);
    expect(await erasureBy(running, 'orders', zed.sub)).toMatchObject({ isDone: true });
  },
);

test('an order of an erased customer is refused, and reserves no voucher', async () => {
  await using loyalty = await startLoyalty(running);
  const zed = customer(running);
  await consume(erasedEvent(zed.sub));
  const voucher_id = randomUUID();
  loyalty.issue(voucher_id, { value_kind: 'amount', value: 100, item_id: null });
  expect((await zed.create(store, { voucher_id })).status).toBe(401);
  expect(loyalty.calls).toHaveLength(1);
  expect(loyalty.isReserved(voucher_id)).toBe(false);
});
