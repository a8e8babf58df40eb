// covers: refundOrder

import { randomUUID } from 'node:crypto';
import { readReceipt } from '@corner/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { reconcilePayments } from '../confirmation/jobs.ts';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { outcomeOf, paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { takenOf } from '../testing/rows.ts';
import { runConcurrently } from '../testing/run-concurrently.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { miscounted } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;

const items = [
  { id: 'coffee', name: 'Coffee', price_pence: 333, vat_rate_bps: 2000 },
  { id: 'bun', name: 'Bun', price_pence: 250, stock: 10, vat_rate_bps: 0 },
  { id: 'sample', name: 'A taste', price_pence: 0, stock: 10 },
];

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  const promos = [{ id: randomUUID(), code: 'SPRING', kind: 'amount' as const, value: 100 }];
  store = await running.openStore({}, items, [], promos);
});
afterEach(async () => {
  running.payments.controls.clearFaults();
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

type Line = { position: number; quantity: number; restock?: boolean };

const basket = {
  items: [
    { menu_item_id: 'coffee', quantity: 2 },
    { menu_item_id: 'bun', quantity: 3 },
  ],
  promo_code: 'SPRING',
  tip_pence: 50,
  order_type: 'collect',
};

const placed = async (request: Record<string, unknown> = basket) => {
  const order = await paidOrder(running, store, request);
  const staff = worker(running, store);
  return {
    ...order,
    staff,
    lines: (lines: Line[], refund_attempt_id: string = randomUUID()) => staff.refund(order.id, { refund_attempt_id, lines }),
    counts: async () => (await staff.get(order.id)).body.order.items.map(({ refunded }: { refunded: number }) => refunded),
  };
};
const coffees = (quantity: number, more: Partial<Line> = {}) => ({ position: 1, quantity, ...more });
const buns = (quantity: number, more: Partial<Line> = {}) => ({ position: 2, quantity, ...more });

describe('units that cost less than a penny, or nothing', () => {
  test('are refunded one by one, to the penny, and go back on sale', async () => {
    const promos = [{ id: randomUUID(), code: 'QUARTER', kind: 'percent' as const, value: 25 }];
    store = await running.openStore(
      {},
      [
        { id: 'pot', name: 'A pot', price_pence: 2000 },
        { id: 'sugar', name: 'Sugar', price_pence: 1 },
        { id: 'water', name: 'Tap water', price_pence: 0, stock: 5 },
      ],
      [],
      promos,
    );
    const quantities = [['pot', 1] as const, ['sugar', 5] as const, ['water', 2] as const];
    const order = await placed({
      items: quantities.map(([menu_item_id, quantity]) => ({ menu_item_id, quantity })),
      promo_code: 'QUARTER',
    });
    const sugars: unknown[] = [];
    for (let n = 0; n < 5; n += 1) sugars.push(outcomeOf(await order.lines([{ position: 2, quantity: 1 }])));
    expect(sugars).toEqual([
      [200, 1],
      [200, 1],
      [200, 1],
      [200, 1],
      [200, 0],
    ]);
    const before = await takenOf(running, store.id, 'water');
    expect(outcomeOf(await order.lines([{ position: 3, quantity: 1, restock: true }]))).toEqual([200, 0]);
    expect(await takenOf(running, store.id, 'water')).toBe(before - 1);
    expect(outcomeOf(await order.lines([{ position: 1, quantity: 1 }]))).toEqual([200, 1500]);
    expect(await order.status()).toBe('refunded');
    // Everything is refunded, but the second glass can still go back on sale.
    expect(outcomeOf(await order.lines([{ position: 3, quantity: 1, restock: true }]))).toEqual([200, 0]);
    expect(codeOf(await order.lines([{ position: 3, quantity: 1 }]))[1]).toBe('REFUND_LINES_EXCEED_REMAINING');
    expect(await order.counts()).toEqual([1, 5, 2]);
  });
});

test('an error names an amount in the words of its currency', async () => {
  store = await running.openStore({ currency: 'JPY' }, [{ id: 'ramen', name: 'Ramen', price_pence: 1250 }]);
  const order = await placed({ items: [{ menu_item_id: 'ramen', quantity: 1 }] });
  const { body } = await order.staff.refund(order.id, { amount_pence: 9999 });
  expect(body.error.message).toBe('amount_pence: JP¥1,250 is left to refund.');
});

describe('a refund by line', () => {
  test('is of what was paid for the units, and of all units together what the order cost without its tip', async () => {
    const order = await placed();
    // Of the discount, 47 pence are the coffees’ and 53 the buns’: 619 and 697 were paid for them.
    expect(outcomeOf(await order.lines([coffees(1), buns(1)]))).toEqual([200, 309 + 232]);
    expect(await order.counts()).toEqual([1, 1]);
    expect(outcomeOf(await order.lines([buns(2), coffees(1)]))).toEqual([200, 310 + 465]);
    expect([await order.counts(), await order.status()]).toEqual([[2, 3], 'partially_refunded']);
    expect(outcomeOf(await order.refund())).toEqual([200, 50]);
    expect(await order.status()).toBe('refunded');
    expect(await order.ledger()).toEqual([
      ['charge', 1366],
      ['refund', -541],
      ['refund', -775],
      ['refund', -50],
    ]);
  });

  test('is named in the log, with its lines', async () => {
    const order = await placed();
    await order.lines([buns(2)]);
    const { entries } = (await order.staff.call('GET', `/api/v1/orders/${order.id}/log`)).body;
    expect(entries.map(({ detail }: { detail: string | null }) => detail)).toContain('It was cold. (2 × Bun)');
  });

  test('of a mixed order is of the lines of the order or leg that it names', async () => {
    const { order_id } = await customer(running).paid(store, {
      items: [],
      fulfilment_groups: [
        { role: 'now', items: [{ menu_item_id: 'coffee', quantity: 1 }] },
        { role: 'collect', items: [{ menu_item_id: 'bun', quantity: 2 }] },
      ],
      promo_code: 'SPRING',
    });
    const staff = worker(running, store);
    const { orders } = (await staff.call('GET', `/api/v1/orders?store_id=${store.id}`)).body;
    const leg = orders.find(({ parent_order_id }: { parent_order_id: string | null }) => parent_order_id === order_id);
    expect(codeOf(await staff.refund(order_id, { lines: [buns(1)] }))).toEqual([400, 'VALIDATION_FAILED']);
    const [own, ofLeg] = [await staff.refund(order_id, { lines: [coffees(1)] }), await staff.refund(leg.id, { lines: [coffees(2)] })];
    expect([outcomeOf(own), outcomeOf(ofLeg)]).toEqual([
      [200, 333 - 40],
      [200, 500 - 60],
    ]);
    expect((await staff.get(order_id)).body.order.status).toBe('refunded');
  });

  test('is on the receipt with its VAT', async () => {
    const order = await placed();
    await order.lines([coffees(2), buns(1)]);
    await order.refund(10);
    const { output } = await running.call(readReceipt, { order_id: order.id, store_id: store.id });
    expect(output?.refunds).toMatchObject([
      {
        amount_pence: 619 + 232,
        lines: [
          { name: 'Coffee', quantity: 2, sum_pence: 619 },
          { name: 'Bun', quantity: 1, sum_pence: 232 },
        ],
        vat: [
          { rate_bps: 2000, net_pence: 516, vat_pence: 103, gross_pence: 619 },
          { rate_bps: 0, net_pence: 232, vat_pence: 0, gross_pence: 232 },
        ],
      },
      // The rest is all buns at 0 %, and the tip.
      { amount_pence: 10, lines: [], vat: [{ rate_bps: 0, net_pence: 10, vat_pence: 0, gross_pence: 10 }], tip_pence: 0 },
    ]);
  });
});

describe('a unit is refunded once', () => {
  test('more units than are left are refused, and nothing is refunded', async () => {
    const order = await placed();
    await order.lines([coffees(1)]);
    const refused = await order.lines([buns(1), coffees(2)]);
    expect(codeOf(refused)).toEqual([422, 'REFUND_LINES_EXCEED_REMAINING']);
    expect(refused.body.error.message).toBe('lines: 1 of 2 × Coffee can be refunded.');
    expect([await order.counts(), order.atProvider().length]).toEqual([[1, 0], 1]);
  });

  test('of refunds of the same unit at the same time, one is made', async () => {
    const order = await placed();
    const refund = () => order.lines([coffees(2)]);
    const responses = await runConcurrently(running, order.id, refund, refund, refund);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    expect([await order.counts(), order.atProvider().length]).toEqual([[2, 0], 1]);
  });

  test('a repeated attempt is one refund, and for other lines it is refused', async () => {
    const order = await placed();
    const attempt = randomUUID();
    const first = await order.lines([coffees(1), buns(1)], attempt);
    expect((await order.lines([buns(1), coffees(1)], attempt)).body).toEqual(first.body);
    expect(codeOf(await order.lines([coffees(1)], attempt))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(codeOf(await order.refund(first.body.refund.amount, attempt))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect([await order.counts(), order.atProvider().length]).toEqual([[1, 1], 1]);
  });

  test('the database holds no line of which more is refunded or restocked than was bought', async () => {
    const { id } = await placed();
    const set = (column: string, to: number) =>
      running.service.database.query(sql.unsafe`
        update order_line set ${sql.identifier([column])} = ${to} where order_id = ${id} and position = 1`);
    await set('refunded', 2);
    await expect(set('refunded', 3)).rejects.toMatchObject({ constraint: 'line_is_never_refunded_beyond_what_was_bought' });
    await expect(set('restocked', 3)).rejects.toMatchObject({ constraint: 'line_is_never_restocked_beyond_what_was_bought' });
  });

  test('what a refund of an amount took is not refunded by line again', async () => {
    const order = await placed();
    await order.refund(700);
    expect(codeOf(await order.lines([buns(3)]))).toEqual([422, 'REFUND_AMOUNT_EXCEEDS_REMAINING']);
    expect((await order.lines([buns(3)])).body.error.message).toBe('lines: £6.66 is left to refund.');
    expect(await order.counts()).toEqual([0, 0]);
  });

  test('a unit whose refund was declined can be refunded again', async () => {
    const order = await placed();
    // The charge has nothing left, and no event has reported it.
    const { id } = running.payments.controls.dashboardRefund(order.intent);
    expect(codeOf(await order.lines([coffees(2, { restock: true })]))).toEqual([502, 'REFUND_REJECTED']);
    expect(await order.counts()).toEqual([0, 0]);
    running.payments.controls.failRefund(id);
    expect(outcomeOf(await order.lines([coffees(2)]))).toEqual([200, 619]);
  });

  test('a unit whose accepted refund failed later can be refunded again, at the same price', async () => {
    const order = await placed();
    const first = await order.lines([coffees(1)]);
    await order.lines([coffees(1)]);
    running.payments.controls.failRefund(first.body.refund.id);
    await sendEventsAbout(running, first.body.refund.id, 'refund.failed');
    expect(await order.counts()).toEqual([1, 0]);
    expect(outcomeOf(await order.lines([coffees(1)]))).toEqual([200, 309]);
    expect(await order.counts()).toEqual([2, 0]);
  });
});

describe('restocking', () => {
  const taken = () => takenOf(running, store.id, 'bun');

  test('puts the units of counted items back on sale, only where it is asked for', async () => {
    const order = await placed();
    await order.lines([coffees(1, { restock: true }), buns(1, { restock: true })]);
    expect(await taken()).toBe(2);
    await order.lines([buns(1)]);
    expect(await taken()).toBe(2);
    await order.lines([buns(1, { restock: true })]);
    expect(await taken()).toBe(1);
    await order.staff.advance(order.id, 'cancelled');
    expect(await taken()).toBe(0);
  });

  test('after the order was cancelled puts nothing back twice', async () => {
    const order = await placed();
    await order.staff.advance(order.id, 'cancelled');
    expect(await taken()).toBe(0);
    expect(outcomeOf(await order.lines([buns(3, { restock: true })]))).toEqual([200, 697]);
    expect(await taken()).toBe(0);
  });

  test('of units whose refund failed later is not repeated with their next refund', async () => {
    const order = await placed();
    const { body } = await order.lines([buns(1, { restock: true })]);
    running.payments.controls.failRefund(body.refund.id);
    await sendEventsAbout(running, body.refund.id, 'refund.failed');
    expect(await taken()).toBe(2);
    await order.lines([buns(1, { restock: true })]);
    expect(await taken()).toBe(2);
    await order.lines([buns(1, { restock: true })]);
    expect(await taken()).toBe(1);
  });

  test('of a refund without a response waits until the job has had it made', async () => {
    const order = await placed();
    running.payments.controls.failNext({ how: 'lost_before', method: 'POST', path: '/v1/refunds', times: 3 });
    expect((await order.lines([buns(1, { restock: true })])).body.refund.status).toBe('pending');
    expect([await taken(), await order.counts()]).toEqual([3, [0, 1]]);
    running.payments.controls.clearFaults();
    running.clock.advance({ minutes: 2 });
    await reconcilePayments(running.service.context);
    expect(await taken()).toBe(2);
  });
});

describe('a wrong request by line is refused', () => {
  test.each([
    ['lines with an amount', { lines: [coffees(1)], amount_pence: 100 }, 'amount_pence: must be left out when lines are sent'],
    ['no line', { lines: [] }, 'lines'],
    ['a line twice', { lines: [coffees(1), coffees(1)] }, 'lines: names a line twice'],
    ['no unit', { lines: [coffees(0)] }, 'lines[0].quantity'],
    ['a line that the order does not have', { lines: [{ position: 3, quantity: 1 }] }, 'lines: the order has no line 3.'],
  ])('with %s', async (_, request, message) => {
    const order = await placed();
    const response = await order.staff.refund(order.id, request);
    expect([...codeOf(response), response.body.error.message]).toEqual([400, 'VALIDATION_FAILED', expect.stringContaining(message)]);
  });

  test('of an order that cost nothing, whose stamps are taken back without lines', async () => {
    const order = await placed({ items: [{ menu_item_id: 'sample', quantity: 1 }] });
    const response = await order.lines([coffees(1)]);
    expect([...codeOf(response), response.body.error.message]).toEqual([
      422,
      'REFUND_AMOUNT_EXCEEDS_REMAINING',
      'lines: nothing was paid for them.',
    ]);
  });

  test('of another store', async () => {
    const order = await placed();
    const other = await running.openStore();
    expect(codeOf(await worker(running, other).refund(order.id, { lines: [coffees(1)] }))).toEqual([404, 'ORDER_NOT_FOUND']);
  });
});
