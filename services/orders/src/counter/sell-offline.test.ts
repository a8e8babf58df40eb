// covers: listSales, listStoreLog

import { randomUUID } from 'node:crypto';
import { tapPresented } from '@corner/contracts';
import { envelopeOf } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { codeOf } from '../testing/callers.ts';
import { eventsOf, ordersOf, takenOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { tillOf } from '../testing/till.ts';
import { addKitchenPrinter, printAll } from '../tickets/testing/kitchen.ts';

let running: Running;
let store: OpenStore;
let till: ReturnType<typeof tillOf>;

const milk = { id: 'milk', name: 'Milk', min: 1, max: 1, choices: [{ id: 'oat', name: 'Oat', price_pence: 40 }] };
const items = [...menu, { id: 'latte', name: 'Latte', price_pence: 300, prep_minutes: 2, options: [milk] }];

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  store = await running.openStore({}, items);
  till = tillOf(running, store);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

interface Offline {
  readonly quantity?: number;
  readonly pence?: number;
  readonly minutesAgo?: number;
  readonly more?: Record<string, unknown>;
}
const agoIso = (minutes: number) => new Date(running.clock.now().getTime() - minutes * 60_000).toISOString();
const offline = (id: string, { quantity = 1, pence = 500, minutesAgo = 30, more = {} }: Offline = {}, key?: string) =>
  till.sell(
    {
      items: [{ menu_item_id: id, quantity }],
      tenders: [{ kind: 'cash' }],
      expected_total_pence: quantity * pence,
      offline: { sold_at: agoIso(minutesAgo), unit_prices_pence: [pence] },
      ...more,
    },
    key,
  );

async function tap(): Promise<string> {
  const customerId = randomUUID();
  const data = { store_id: store.id, customer_id: customerId, stamp_id: randomUUID(), at: running.clock.now().toISOString() };
  await running.consume(
    envelopeOf(tapPresented, data, { aggregateId: `${store.id}:${customerId}`, sequence: 1, storeId: store.id, customerId }),
  );
  return customerId;
}

describe('a sale that a till made without a connection', () => {
  test('is recorded as it was made, says when, and counts when it arrives', async () => {
    const { status, body } = await offline('croissant', { pence: 290 });
    expect(status).toBe(200);
    expect(body.order).toMatchObject({
      status: 'paid',
      total_pence: 290,
      offline: { sold_at: agoIso(30), differences: [] },
      tenders: [{ kind: 'cash', amount_pence: 290 }],
    });
    expect(Date.parse(body.order.paid_at)).toBe(running.clock.now().getTime());
    expect((await till.get(body.order.id)).body.order).toEqual(body.order);
    const log = await till.call('GET', `/api/v1/orders/${body.order.id}/log?store_id=${store.id}`);
    expect(log.body.entries.at(-1)).toMatchObject({
      title: 'The order was sold at the counter without a connection',
      detail: expect.stringMatching(/^Sold at \d\d:\d\d\.$/),
    });
  });

  test('was handed over then: it is fulfilled as it arrives, and no work for the kitchen', async () => {
    const kitchen = await addKitchenPrinter(running, store);
    const { body: late } = await offline('croissant', { pence: 290 });
    expect(late.order).toMatchObject({ status: 'paid', fulfilment_status: 'collected' });
    await till.sell();
    expect(await printAll(kitchen)).toEqual([expect.stringContaining('Flat white')]);
    const live = await till.call('GET', `/api/v1/orders?store_id=${store.id}`);
    expect(live.body.orders.map(({ id }: { id: string }) => id)).not.toContain(late.order.id);
    const events = await eventsOf(running, late.order.id);
    expect(events.map(({ type, data }) => [type, (data as { to?: string }).to])).toEqual([
      ['order.paid', undefined],
      ['order.status_changed', 'fulfilled'],
    ]);
  });

  test('of more than is left takes what is left, never more, and says how many no stock was left for', async () => {
    const { body } = await offline('last-cake', { quantity: 3 });
    expect(body.order.offline.differences).toEqual([{ why: 'sold_out', name: 'The last cake', quantity: 2, menu_pence: null }]);
    expect(await takenOf(running, store.id)).toBe(1);
    expect((await offline('last-cake')).body.order.offline.differences).toMatchObject([{ quantity: 1 }]);
    expect(codeOf(await till.sell({ items: [{ menu_item_id: 'last-cake', quantity: 1 }], tenders: [{ kind: 'cash' }] }))).toEqual([
      409,
      'OUT_OF_STOCK',
    ]);
    await till.refund(body.order.id, { lines: [{ position: 1, quantity: 3, restock: true }] });
    expect(await takenOf(running, store.id)).toBe(0);
  });

  test('and one by a phone of the last unit at once: the stock is taken once, and one of both is refused or says so', async () => {
    const [later] = await Promise.all([
      offline('last-cake'),
      till.sell({ items: [{ menu_item_id: 'last-cake', quantity: 1 }], tenders: [{ kind: 'cash' }] }),
    ]);
    expect(later.status).toBe(200);
    expect(await takenOf(running, store.id)).toBe(1);
  });

  test('costs what was shown, when the menu has another price, and when staff marked it or the menu no longer offers it', async () => {
    await till.call('PATCH', `/api/v1/orders/stores/${store.id}/menu/croissant`, { sold_out: 'until_changed' });
    const marked = await offline('croissant', { pence: 250 });
    expect(marked.body.order).toMatchObject({ total_pence: 250 });
    expect(marked.body.order.offline.differences).toEqual([
      { why: 'sold_out', name: 'Croissant', quantity: 1, menu_pence: null },
      { why: 'price', name: 'Croissant', quantity: 1, menu_pence: 290 },
    ]);
    const gone = await offline('sold-out', { pence: 450 });
    expect(gone.body.order.offline.differences).toEqual([{ why: 'off_menu', name: 'Yesterday’s soup', quantity: 1, menu_pence: null }]);
  });

  test('keeps its choices at the price that was shown, also one below what they cost by now', async () => {
    const choose = { items: [{ menu_item_id: 'latte', quantity: 1, choices: ['oat'] }] };
    for (const pence of [320, 10]) {
      const { body } = await offline('latte', { pence, more: choose });
      expect(body.order.items).toMatchObject([{ name: 'Latte', unit_price_pence: pence, choices: [{ choice_id: 'oat' }] }]);
      expect(body.order.offline.differences).toMatchObject([{ why: 'price', menu_pence: 340 }]);
    }
  });

  test('is in cash alone, without a voucher, a code, a slot and groups, with a price for each line, and by staff: the field is named', async () => {
    const wrong: readonly [Record<string, unknown>, string][] = [
      [{ tenders: [{ kind: 'external_card', reference: '1' }] }, 'tenders'],
      [{ tenders: undefined }, 'tenders'],
      [{ promo_code: 'TEN' }, 'promo_code'],
      [{ voucher_id: randomUUID() }, 'voucher_id'],
      [{ offline: { sold_at: agoIso(1), unit_prices_pence: [] } }, 'offline.unit_prices_pence'],
    ];
    for (const [more, field] of wrong) {
      const { status, body } = await offline('croissant', { more });
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.error.message).toContain(field);
    }
    const partner = tillOf(running, store, { scopes: 'orders:create' });
    const sale = { tenders: [{ kind: 'cash' }], offline: { sold_at: agoIso(1), unit_prices_pence: [350, 290] } };
    expect(codeOf(await partner.sell(sale))).toEqual([400, 'VALIDATION_FAILED']);
    expect(codeOf(await offline('croissant', { pence: 290, more: { expected_total_pence: 300 } }))).toEqual([409, 'PRICE_CHANGED']);
    expect(codeOf(await offline('never-had'))).toEqual([422, 'ITEM_NOT_FOUND']);
  });

  test('is made once for its key, and a clock that is ahead counts as now', async () => {
    const key = randomUUID();
    const first = await offline('croissant', { pence: 290, minutesAgo: -60 }, key);
    expect(first.body.order.offline.sold_at).toBe(running.clock.now().toISOString());
    expect((await offline('croissant', { pence: 290, minutesAgo: -60 }, key)).body).toEqual(first.body);
    expect(await ordersOf(running, store.id)).toBe(1);
  });

  test('is bound by no tap: the one who taps bought the sale before it', async () => {
    const { body: sold } = await till.sell();
    running.clock.advance({ seconds: 5 });
    const { body: late } = await offline('croissant', { pence: 290 });
    const customerId = await tap();
    expect((await till.get(sold.order.id)).body.order.customer_id).toBe(customerId);
    expect((await till.get(late.order.id)).body.order.without_customer).toBe(true);
  });

  test('and that was made after the latest sale lets a tap bind none: it may be of the one who taps', async () => {
    const { body: sold } = await till.sell();
    running.clock.advance({ seconds: 20 });
    await offline('croissant', { pence: 290, minutesAgo: 1 / 6 });
    running.clock.advance({ seconds: 5 });
    await tap();
    expect((await till.get(sold.order.id)).body.order.without_customer).toBe(true);
  });
});

describe('a sale that is sent again because its response was lost', () => {
  const sale = { items: [{ menu_item_id: 'croissant', quantity: 1 }], tenders: [{ kind: 'external_card', reference: '4711' }] };
  const again = (secondsAgo: number, key: string, more: Record<string, unknown> = {}, by = till) =>
    by.call(
      'POST',
      `/api/v1/orders/at-counter?sold_seconds_ago=${secondsAgo}`,
      { store_id: store.id, ...sale, ...more },
      { 'Idempotency-Key': key },
    );

  test('is the one that was recorded, however long ago; one that had not arrived says when it was made, is fulfilled, and no tap binds it', async () => {
    const key = randomUUID();
    const first = await till.sell(sale, key);
    expect((await again(90, key)).body).toEqual(first.body);
    expect(first.body.order.offline).toBeNull();
    await running.service.database.query(sql.type(z.object({}))`delete from idempotency_key`);
    expect((await again(95, key)).body.order.id).toBe(first.body.order.id);
    running.clock.advance({ minutes: 2 });
    const { body: late } = await again(90, randomUUID());
    expect(late.order).toMatchObject({ fulfilment_status: 'collected', offline: { differences: [] }, tenders: [{ reference: '4711' }] });
    expect(Date.parse(late.order.offline.sold_at)).toBe(running.clock.now().getTime() - 90_000);
    await tap();
    expect((await till.get(late.order.id)).body.order.without_customer).toBe(true);
  });

  test('at once, by a partner, or to be paid later, is as any other', async () => {
    const partner = tillOf(running, store, { scopes: 'orders:create' });
    for (const { body } of [
      await again(4, randomUUID()),
      await again(90, randomUUID(), {}, partner),
      await again(90, randomUUID(), { tenders: undefined }),
    ])
      expect([body.order.offline ?? null, body.order.fulfilment_status === 'collected']).toEqual([null, false]);
    expect(codeOf(await again(-1, randomUUID()))).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('the list of sales', () => {
  const list = async (state: string, at = store, limit = 10) =>
    (await tillOf(running, at).call('GET', `/api/v1/orders/at-counter?store_id=${at.id}&state=${state}&limit=${limit}`)).body.sales as {
      id: string;
      tenders: { kind: string }[];
    }[];

  test('has the latest ones first with their tenders, and those that are open by themselves', async () => {
    const first = (await till.sell()).body.order.id;
    running.clock.advance({ seconds: 1 });
    const second = (await till.sell({ tenders: [{ kind: 'external_card', reference: '4711' }] })).body.order.id;
    const open = await till.open();
    expect((await list('paid')).map(({ id, tenders }) => [id, tenders.map(({ kind }) => kind)])).toEqual([
      [second, ['external_card']],
      [first, ['cash']],
    ]);
    expect(await list('open')).toMatchObject([{ id: open, tenders: [] }]);
    expect(await list('paid', store, 1)).toHaveLength(1);
    await till.pay(open, [{ kind: 'cash' }]);
    expect([(await list('open')).length, (await list('paid')).length]).toEqual([0, 3]);
    expect(await list('paid', await running.openStore())).toEqual([]);
  });

  test('of orders has the tenders of sales too, and none for a phone’s order', async () => {
    await till.sell({ tenders: [{ kind: 'cash', given_pence: 1_000 }], order_type: 'collect' });
    const { body } = await till.call('GET', `/api/v1/orders?store_id=${store.id}`);
    expect(body.orders).toMatchObject([{ tenders: [{ kind: 'cash', given_pence: 1_000, change_pence: 360, refunded_pence: 0 }] }]);
  });
});

test('the store’s log has each opening, pay-out and count of the drawer, once, with what differed', async () => {
  const send = (what: string, body: Record<string, unknown>, key: string = randomUUID()) =>
    till.call('POST', `/api/v1/orders/drawers${what}`, { store_id: store.id, ...body }, { 'Idempotency-Key': key });
  await send('', { float_pence: 10_000 });
  running.clock.advance({ seconds: 1 });
  await send('/pay-outs', { amount_pence: 450, reason: 'Milk' });
  running.clock.advance({ seconds: 1 });
  await send('/close', { counted_pence: 9_500 });
  const { body } = await till.call('GET', `/api/v1/orders/stores/${store.id}/log`);
  expect(body.entries.map(({ title, by }: { title: string; by: object }) => [title, by])).toEqual(
    [
      'The drawer was closed with £95.00, £0.50 less than expected',
      '£4.50 was taken out of the drawer',
      'The drawer was opened with £100.00',
    ].map((title) => [title, { id: till.sub, name: 'Ada' }]),
  );
});
