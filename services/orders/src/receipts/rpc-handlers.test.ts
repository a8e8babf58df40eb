import { randomUUID } from 'node:crypto';
import { directoryMenu, readReceipt } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { saveMenu } from '../shop/transactions.ts';
import { customer } from '../testing/callers.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { slotIn } from '../testing/whole-store.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('the receipt of an order', () => {
  const rated = menu.map((item) => ({ ...item, vat_rate_bps: item.id === 'flat-white' ? 2000 : item.id === 'croissant' ? 0 : null }));
  const promo = { id: randomUUID(), code: 'TENTH', kind: 'percent' as const, value: 10 };
  const receiptOf = async (store: Pick<OpenStore, 'id'>, order_id: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: the reply as the caller receives it
    (await running.call(readReceipt, { order_id, store_id: store.id })) as any;

  test('a receipt has the lines, the sums, and the VAT by rate after the discount and without the tip', async () => {
    const store = await running.openStore({}, rated, [], [promo]);
    const items = [
      { menu_item_id: 'flat-white', quantity: 2 },
      { menu_item_id: 'croissant', quantity: 1 },
    ];
    const order = await customer(running).paid(store, { items, tip_pence: 50, promo_code: 'TENTH' });
    expect(await receiptOf(store, order.order_id)).toEqual({
      output: {
        order_number: order.order_number,
        receipt_url: expect.stringMatching(/^http:\/\/gateway\.corner\.example\.com\/receipts\/[\w-]{44}$/),
        refunds: [],
        paid_at: expect.stringMatching(/Z$/),
        currency: 'GBP',
        table_number: null,
        lines: [
          { name: 'Flat white', quantity: 2, unit_price_pence: 350, sum_pence: 700 },
          { name: 'Croissant', quantity: 1, unit_price_pence: 290, sum_pence: 290 },
        ],
        subtotal_pence: 990,
        discount_pence: 99,
        tip_pence: 50,
        total_pence: 941,
        vat: [
          { rate_bps: 2000, net_pence: 525, vat_pence: 105, gross_pence: 630 },
          { rate_bps: 0, net_pence: 261, vat_pence: 0, gross_pence: 261 },
        ],
        collections: [],
      },
    });
  });

  test('of several orders are read by one call, each as if it were read alone, and null for an order of another store', async () => {
    const [store, other] = await Promise.all([running.openStore({}, rated), running.openStore({}, rated)]);
    const ada = customer(running);
    const pay = (at: OpenStore, quantity: number) => ada.paid(at, { items: [{ menu_item_id: 'flat-white', quantity }] });
    const [first, second, third] = [await pay(store, 1), await pay(other, 2), await pay(store, 3)];
    const order = (placed: { readonly order_id: string }, at: OpenStore) => ({ order_id: placed.order_id, store_id: at.id });
    const [one, two] = [await receiptOf(store, first.order_id), await receiptOf(other, second.order_id)];
    const together = { ...order(first, store), others: [order(second, other), order(third, other), order(second, other)] };
    expect(await running.call(readReceipt, together)).toEqual({ output: { ...one.output, others: [two.output, null, two.output] } });
    expect(await running.call(readReceipt, { ...together, ...order(third, other) })).toMatchObject({ problem: 'ORDER_NOT_FOUND' });
  });

  test('a rate that changes after the order was placed does not change its receipt', async () => {
    const store = await running.openStore({}, rated);
    const ada = customer(running);
    const placed = await ada.paid(store, { items: [{ menu_item_id: 'flat-white', quantity: 1 }] });
    const items = rated.map((item) => ({ ...item, vat_rate_bps: 500 }));
    const changed = directoryMenu.data.parse({ version: 2, store_id: store.id, items });
    await running.service.database.transaction((tx) => saveMenu(tx, changed));
    const later = await ada.paid(store, { items: [{ menu_item_id: 'flat-white', quantity: 1 }] });
    const ratesOf = async (orderId: string) =>
      // biome-ignore lint/suspicious/noExplicitAny: the reply as the caller receives it
      (await receiptOf(store, orderId)).output.vat.map((sum: any) => sum.rate_bps);
    expect([await ratesOf(placed.order_id), await ratesOf(later.order_id)]).toEqual([[2000], [500]]);
  });

  test('the receipt of a mixed basket has the lines of its legs, and each leg’s code and time', async () => {
    const slot = slotIn(running, 120);
    const store = await running.openStore({}, rated, [slot]);
    const order = await customer(running).paid(store, {
      items: [],
      fulfilment_groups: [
        { role: 'now', items: [{ menu_item_id: 'flat-white', quantity: 1 }] },
        { role: 'collect', items: [{ menu_item_id: 'croissant', quantity: 2 }], slot_id: slot.id },
      ],
    });

    const { output } = await receiptOf(store, order.order_id);
    expect(output.lines.map(({ name }: { name: string }) => name)).toEqual(['Flat white', 'Croissant']);
    expect(output.total_pence).toBe(930);
    expect(output.collections).toEqual([
      { order_number: `${output.order_number}-1`, collection_code: expect.stringMatching(/^\w{4}$/), collect_at: expect.any(String) },
    ]);
    expect(Date.parse(output.collections[0].collect_at)).toBe(Date.parse(slot.starts_at));
  });

  test('an order that is not paid, or belongs to another store, has no receipt', async () => {
    const [store, other] = [await running.openStore({}, rated), await running.openStore({}, rated)];
    const { body: unpaid } = await customer(running).create(store);
    const paid = await customer(running).paid(store);
    const refused = { problem: 'ORDER_NOT_FOUND', message: expect.any(String) };
    expect(await receiptOf(store, unpaid.order_id)).toEqual(refused);
    expect(await receiptOf(other, paid.order_id)).toEqual(refused);
  });
});
