import { randomUUID } from 'node:crypto';
import { directoryCustomer } from '@corner/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { saveContact } from '../transactions/save-contact.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const refusal = ({ status, body }: ApiResponse) => [status, body.error.code];

test('staff of the store get the order as the list returns it', async () => {
  const order = await customer(running).paid(store, { order_type: 'collect', tip_pence: 50 });
  for (const typ of ['staff', 'merchant'] as const) {
    const member = worker(running, store, typ);
    const { status, body } = await member.get(order.order_id);
    expect(status).toBe(200);
    expect(body.order).toMatchObject({
      id: order.order_id,
      store_id: store.id,
      order_number: order.order_number,
      status: 'paid',
      total_pence: 690,
      currency: 'GBP',
      items: [
        { menu_item_id: 'flat-white', name: 'Flat white', quantity: 1, unit_price_pence: 350, total_pence: 350 },
        { menu_item_id: 'croissant', name: 'Croissant', quantity: 1, unit_price_pence: 290, total_pence: 290 },
      ],
    });
    const { body: list } = await member.call('GET', `/api/v1/orders?store_id=${store.id}`);
    expect(list.orders).toEqual([body.order]);
  }
});

test('an order shows what the kitchen needs: table, tip, discounts, refunds, a dispute, and the name of its customer', async () => {
  const promo = { id: randomUUID(), code: 'TENTH', kind: 'percent' as const, value: 10 };
  const shop = await running.openStore({}, undefined, [], [promo]);
  const staff = worker(running, shop);
  const ana = customer(running);
  const request = { tip_pence: 60, promo_code: 'TENTH', fulfilment: { mode: 'table', table_number: '7' } };
  const { order_id } = await ana.paid(shop, request);
  const shown = async () => (await staff.get(order_id)).body.order;
  expect(await shown()).toMatchObject({
    ...{ total_pence: 636, tip_pence: 60, discount_pence: 64, refunded_pence: 0, disputed: false },
    ...{ table_number: '7', customer_name: null },
  });
  await nameCustomer(ana.sub, 'Ana Sousa');
  await staff.refund(order_id, { amount_pence: 36 });
  expect(await shown()).toMatchObject({ refunded_pence: 36, customer_name: 'Ana Sousa' });
});

test('each leg shows its share of the discount, no tip, and a dispute of the payment', async () => {
  const promo = { id: randomUUID(), code: 'HALF', kind: 'percent' as const, value: 50 };
  const shop = await running.openStore({}, undefined, [], [promo]);
  const group = (role: string, menu_item_id: string) => ({ role, items: [{ menu_item_id, quantity: 1 }] });
  const groups = [group('now', 'flat-white'), group('collect', 'croissant')];
  const order = await customer(running).paid(shop, { items: [], fulfilment_groups: groups, promo_code: 'HALF', tip_pence: 20 });
  const rows = async () =>
    (await worker(running, shop).call('GET', `/api/v1/orders?store_id=${shop.id}`)).body.orders.map((row: Record<string, unknown>) => [
      ...[row.parent_order_id === null, row.total_pence, row.discount_pence, row.tip_pence, row.disputed],
    ]);
  expect(await rows()).toEqual([
    [true, 340, 320, 20, false],
    [false, 145, 145, 0, false],
  ]);
  await running.service.database.query(sql.unsafe`update orders set disputed = true where id = ${order.order_id}`);
  expect((await rows()).map((row: unknown[]) => row[4])).toEqual([true, true]);
});

/** The directory publishes the customer. */
const nameCustomer = (id: string, name: string) =>
  running.service.database.transaction((tx) => saveContact(tx, directoryCustomer.data.parse({ id, version: 1, name })));

test('an order of another store and an unknown order are 404', async () => {
  const order = await customer(running).paid(store);
  const other = worker(running, await running.openStore());
  expect(refusal(await other.get(order.order_id))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(refusal(await worker(running, store).get(randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
  expect(refusal(await worker(running, store).get('17'))).toEqual([400, 'VALIDATION_FAILED']);
});

test('a caller without a token, a customer, and staff of another store are refused', async () => {
  const buyer = customer(running);
  const order = await buyer.paid(store);
  const path = `/api/v1/orders/${order.order_id}?store_id=${store.id}`;
  expect((await fetch(`${running.service.url}${path}`)).status).toBe(401);
  expect(refusal(await buyer.call('GET', path))).toEqual([403, 'WRONG_TOKEN_TYPE']);
  const other = worker(running, await running.openStore(), 'merchant');
  expect(refusal(await other.call('GET', path))).toEqual([403, 'STORE_FORBIDDEN']);
  expect(refusal(await worker(running, store).call('GET', `/api/v1/orders/${order.order_id}`))).toEqual([400, 'VALIDATION_FAILED']);
});
