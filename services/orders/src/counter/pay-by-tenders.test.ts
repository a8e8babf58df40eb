import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { compareLedger } from '../money/jobs.ts';
import { readDayOfMoney } from '../money/tables.ts';
import { codeOf, customer } from '../testing/callers.ts';
import { eventsOf, ledgerOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { tillOf } from '../testing/till.ts';

let running: Running;
let store: OpenStore;
let till: ReturnType<typeof tillOf>;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
  till = tillOf(running, store);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const split = [
  { kind: 'cash', amount_pence: 400, given_pence: 500 },
  { kind: 'external_card', amount_pence: 240, reference: '4711' },
];

describe('an open sale', () => {
  test('is paid by several tenders, each a row of the ledger', async () => {
    const id = await till.open();
    const { status, body } = await till.pay(id, split);
    expect([status, body.order.status]).toEqual([200, 'paid']);
    expect(body.tenders).toMatchObject([
      { kind: 'cash', amount_pence: 400, given_pence: 500, change_pence: 100 },
      { kind: 'external_card', amount_pence: 240, reference: '4711', change_pence: null },
    ]);
    expect(await ledgerOf(running, id)).toEqual([
      { kind: 'charge', amount_pence: 400 },
      { kind: 'charge', amount_pence: 240 },
    ]);
    const { body: log } = await till.call('GET', `/api/v1/orders/${id}/log?store_id=${store.id}`);
    expect(log.entries[0]).toMatchObject({
      title: 'Paid at the counter',
      actor: 'Ada',
      amount_pence: 640,
      detail: '£4.00 in cash (£5.00 given, £1.00 change), £2.40 by card reader (4711).',
    });
  });

  test('is paid by one of two payments that come at once; the other is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await till.open();
      const both = await Promise.all([till.pay(id, [{ kind: 'cash' }], randomUUID()), till.pay(id, split, randomUUID())]);
      expect(both.map(({ body }) => body.error?.code ?? 'paid').sort()).toEqual(['ORDER_ALREADY_PAID', 'paid']);
      expect((await ledgerOf(running, id)).reduce((sum, { amount_pence }) => sum + amount_pence, 0)).toBe(640);
      expect((await eventsOf(running, id)).filter(({ type }) => type === 'order.paid')).toHaveLength(1);
    }
  });

  test('is paid once by a repeat with the same key, also when the first response was lost', async () => {
    const id = await till.open();
    const key = randomUUID();
    const first = await till.pay(id, split, key);
    await running.service.database.query(sql.type(z.object({}))`delete from idempotency_key`);
    expect((await till.pay(id, split, key)).body).toEqual(first.body);
    expect(await ledgerOf(running, id)).toHaveLength(2);
  });

  test('stays open when the tenders do not sum to its total', async () => {
    const id = await till.open();
    const { status, body } = await till.pay(id, [{ kind: 'cash', amount_pence: 639 }]);
    expect([status, body.error.code]).toEqual([422, 'TENDERS_MISMATCH']);
    expect(body.error.message).toContain('£6.40');
    expect((await till.get(id)).body.order.status).toBe('pending_payment');
  });

  test('is cancelled unpaid, and cannot be paid then', async () => {
    const id = await till.open();
    await till.call('PATCH', `/api/v1/orders/${id}/status`, { store_id: store.id, status: 'cancelled' });
    expect(codeOf(await till.pay(id, split))).toEqual([409, 'ORDER_TERMINAL']);
  });
});

describe('orders that no tender pays', () => {
  test('a phone’s order, a paid one, one of another store, and none', async () => {
    const { body } = await customer(running).create(store);
    expect(codeOf(await till.pay(body.order_id, split))).toEqual([409, 'TENDERS_NOT_APPLICABLE']);
    const paid = (await till.sell()).body.order.id;
    expect(codeOf(await till.pay(paid, [{ kind: 'cash' }]))).toEqual([409, 'ORDER_ALREADY_PAID']);
    const other = await running.openStore();
    expect(codeOf(await tillOf(running, other).pay(paid, split))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await till.pay(randomUUID(), split))).toEqual([404, 'ORDER_NOT_FOUND']);
  });
});

describe('a refund of a sale at the counter', () => {
  const Row = z.object({ kind: z.string(), tender: z.string().nullable(), amount_pence: z.number() });
  const entries = (id: string) =>
    running.service.database.any(sql.type(Row)`select kind, tender, amount_pence from ledger where order_id = ${id} order by id`);

  test('goes back by the tenders it came from, the first one first, and calls no payment provider', async () => {
    const id = await till.open();
    await till.pay(id, split);
    const before = running.payments.books().refunds.length;
    const one = await till.refund(id, { amount_pence: 500 });
    expect(one.body.refund).toMatchObject({ status: 'succeeded', amount: 500 });
    expect((await entries(id)).slice(2)).toEqual([
      { kind: 'refund', tender: 'cash', amount_pence: -400 },
      { kind: 'refund', tender: 'external_card', amount_pence: -100 },
    ]);
    await till.refund(id, { refund_attempt_id: randomUUID() });
    expect((await entries(id)).slice(4)).toEqual([{ kind: 'refund', tender: 'external_card', amount_pence: -140 }]);
    expect(running.payments.books().refunds).toHaveLength(before);
    expect((await till.get(id)).body.order.status).toBe('refunded');
    expect(codeOf(await till.refund(id, { amount_pence: 1, refund_attempt_id: randomUUID() }))).toEqual([409, 'ALREADY_REFUNDED']);
  });

  test('by line returns what was paid for the units', async () => {
    const { body } = await till.sell();
    const refund = await till.refund(body.order.id, { lines: [{ position: 2, quantity: 1 }] });
    expect(refund.body.refund.amount).toBe(290);
    expect((await entries(body.order.id)).at(-1)).toEqual({ kind: 'refund', tender: 'cash', amount_pence: -290 });
  });

  test('of one that cost nothing is recorded once', async () => {
    const { body } = await till.sell({ items: [{ menu_item_id: 'sample', quantity: 1 }] });
    expect((await till.refund(body.order.id)).body.refund).toMatchObject({ status: 'succeeded', amount: 0 });
  });
});

test('an order that several tenders paid is one order of the day of money', async () => {
  const own = await running.openStore();
  const other = tillOf(running, own);
  await other.pay(await other.open(), split);
  const day = await readDayOfMoney(running.service.database, own.id, running.clock.now().toISOString().slice(0, 10));
  expect(day).toMatchObject({ orders: 1, gross: 640, fees: 0 });
});

test('what is paid at the counter is not compared with the provider’s balance', async () => {
  const { body } = await till.sell();
  await till.refund(body.order.id, { amount_pence: 100 });
  running.clock.advance({ hours: 1 });
  await compareLedger(running.service.context);
  running.clock.advance({ hours: 1 });
  await compareLedger(running.service.context);
  const found = sql.type(z.object({ kind: z.string() }))`select kind from ledger_difference where order_id = ${body.order.id}`;
  expect(await running.service.database.any(found)).toEqual([]);
});
