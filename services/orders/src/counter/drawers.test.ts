// covers: openDrawer, payOutOfDrawer, closeDrawer, listDrawers

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { codeOf } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { tillOf } from '../testing/till.ts';

let running: Running;
let store: OpenStore;
let till: ReturnType<typeof tillOf>;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  store = await running.openStore();
  till = tillOf(running, store);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const send = (what: string, body: Record<string, unknown>, key: string = randomUUID()) =>
  till.call('POST', `/api/v1/orders/drawers${what}`, { store_id: store.id, ...body }, { 'Idempotency-Key': key });
const open = (float_pence = 10_000, key?: string) => send('', { float_pence }, key);
const count = (counted_pence: number, more: Record<string, unknown> = {}, key?: string) => send('/close', { counted_pence, ...more }, key);
const list = async () => (await till.call('GET', `/api/v1/orders/drawers?store_id=${store.id}`)).body.drawers;
const forgetResponses = () => running.service.database.query(sql.type(z.object({}))`delete from idempotency_key`);

describe('a drawer', () => {
  test('expects its float and the cash that was taken, less what was refunded and paid out; other tenders do not count', async () => {
    await open();
    const { body: sold } = await till.sell({ tenders: [{ kind: 'cash', given_pence: 1_000 }] });
    await till.sell({ tenders: [{ kind: 'external_card', reference: '1' }] });
    await till.pay(await till.open(), [
      { kind: 'cash', amount_pence: 140 },
      { kind: 'external_card', amount_pence: 500, reference: '2' },
    ]);
    await till.refund(sold.order.id, { amount_pence: 40 });
    const { body } = await send('/pay-outs', { amount_pence: 450, reason: 'Milk' });
    const sums = { float_pence: 10_000, cash_taken_pence: 780, cash_refunded_pence: 40, paid_out_pence: 450, expected_pence: 10_290 };
    expect(body.drawer).toMatchObject({ ...sums, counted_pence: null, difference_pence: null, closed_at: null });
    expect(body.drawer.pay_outs).toMatchObject([{ amount_pence: 450, reason: 'Milk', by_name: 'Ada' }]);
    expect(await list()).toEqual([body.drawer]);
  });

  test('has the cash of the store’s staff, and none that a partner took elsewhere', async () => {
    await open();
    const partner = tillOf(running, store, { scopes: 'orders:create' });
    expect((await partner.sell()).status).toBe(200);
    expect((await partner.pay(await partner.open(), [{ kind: 'cash' }])).status).toBe(200);
    expect(await list()).toMatchObject([{ cash_taken_pence: 0 }]);
    await till.pay(await partner.open(), [{ kind: 'cash' }]);
    expect(await list()).toMatchObject([{ cash_taken_pence: 640 }]);
  });

  test('of a currency of small units has sums beyond what one amount may be, and is counted once enough of it is taken out', async () => {
    const most = 2_147_483_647;
    await open(most);
    const payOut = (amount_pence: number) => send('/pay-outs', { amount_pence, reason: 'Bank' });
    for (let n = 0; n < 2; n += 1) expect((await payOut(most)).status).toBe(200);
    expect(await list()).toMatchObject([{ paid_out_pence: 2 * most, expected_pence: -most }]);
    const refused = await count(1);
    expect([...codeOf(refused), refused.body.error.message]).toEqual([400, 'VALIDATION_FAILED', expect.stringContaining('counted_pence')]);
    expect((await count(0)).body.drawer).toMatchObject({ expected_pence: -most, difference_pence: most });
    for (const tooMuch of [await open(most + 1), await payOut(most + 1), await count(most + 1)])
      expect([tooMuch.status, tooMuch.body.error.message]).toEqual([400, expect.stringContaining('_pence')]);
  });

  test('is closed by a count, and keeps a difference with the name of who counted it', async () => {
    await open();
    await till.sell();
    const { status, body } = await count(10_600, { note: 'Two coins fell.' });
    expect([status, body.drawer]).toMatchObject([
      200,
      {
        expected_pence: 10_640,
        counted_pence: 10_600,
        difference_pence: -40,
        note: 'Two coins fell.',
        opened_by: { id: till.sub, name: 'Ada' },
        closed_by: { id: till.sub, name: 'Ada' },
      },
    ]);
  });

  test('of the next shift begins anew: what is sold and refunded later is in it', async () => {
    await open();
    const { body: sold } = await till.sell();
    await count(10_640);
    running.clock.advance({ minutes: 1 });
    await open(5_000);
    await till.refund(sold.order.id);
    await till.sell();
    const [second, first] = await list();
    expect(second).toMatchObject({ cash_taken_pence: 640, cash_refunded_pence: 640, expected_pence: 5_000 });
    expect(first).toMatchObject({ cash_taken_pence: 640, cash_refunded_pence: 0, difference_pence: 0 });
  });

  test('is one at a store: a second is refused, also when both are opened at once; another store has its own', async () => {
    const both = await Promise.all([open(), open()]);
    expect(both.map(({ body }) => body.error?.code ?? 'opened').sort()).toEqual(['DRAWER_OPEN', 'opened']);
    const other = await running.openStore();
    const theirs = tillOf(running, other);
    expect((await theirs.call('POST', '/api/v1/orders/drawers', { store_id: other.id, float_pence: 1 })).status).toBe(200);
    await theirs.sell();
    expect(await list()).toMatchObject([{ expected_pence: 10_000 }]);
  });

  test('that is not open takes no pay-out and cannot be counted; cash that is taken then is in none', async () => {
    expect(codeOf(await send('/pay-outs', { amount_pence: 1, reason: 'Milk' }))).toEqual([409, 'DRAWER_NOT_OPEN']);
    expect(codeOf(await count(0))).toEqual([409, 'DRAWER_NOT_OPEN']);
    expect((await till.sell()).status).toBe(200);
    await open(100);
    expect(await list()).toMatchObject([{ expected_pence: 100 }]);
  });

  test('is listed page by page', async () => {
    for (let n = 0; n < 3; n += 1) {
      await open(n);
      await count(n);
    }
    const page = async (before = '') =>
      (await till.call('GET', `/api/v1/orders/drawers?store_id=${store.id}&limit=2${before}`)).body.drawers as {
        id: string;
        float_pence: number;
      }[];
    const first = await page();
    const rest = await page(`&before=${first[1]?.id}`);
    expect([...first, ...rest].map(({ float_pence }) => float_pence).sort()).toEqual([0, 1, 2]);
  });
});

describe('a repeat whose first response was lost', () => {
  test('opens no second drawer, takes nothing out twice, and does not close the drawer that was opened since', async () => {
    const [opening, paying, closing] = [randomUUID(), randomUUID(), randomUUID()];
    const opened = await open(1_000, opening);
    await send('/pay-outs', { amount_pence: 100, reason: 'Milk' }, paying);
    await forgetResponses();
    expect((await open(1_000, opening)).body.drawer.id).toBe(opened.body.drawer.id);
    await send('/pay-outs', { amount_pence: 100, reason: 'Milk' }, paying);
    expect(await list()).toMatchObject([{ paid_out_pence: 100 }]);
    await count(900, {}, closing);
    running.clock.advance({ minutes: 1 });
    await open(50);
    await forgetResponses();
    expect((await count(900, {}, closing)).body.drawer).toMatchObject({ id: opened.body.drawer.id, difference_pence: 0 });
    expect(await list()).toMatchObject([{ closed_at: null }, { difference_pence: 0 }]);
  });
});

test('cash that is taken while a drawer is counted is in it or in none: every count equals what its rows say', async () => {
  await open(0);
  const sales = Promise.all(Array.from({ length: 12 }, () => till.sell()));
  const { body } = await count(0);
  await sales;
  const [drawer] = await list();
  expect(body.drawer.expected_pence).toBe(drawer.expected_pence);
  const stored = sql.type(z.object({ expected_pence: z.number() }))`select expected_pence from drawer where id = ${drawer.id}`;
  expect(await running.service.database.one(stored)).toEqual({ expected_pence: drawer.expected_pence });
});
