// covers: readReport
// covers: listTips

import { randomUUID } from 'node:crypto';
import type { Report, ReportFigures } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { compareLedger } from '../money/jobs.ts';
import { lookAtPayouts } from '../payouts/sagas.ts';
import { type ApiResponse, codeOf, worker } from '../testing/callers.ts';
import { startLoyalty } from '../testing/loyalty.ts';
import { paidOrder } from '../testing/paid-order.ts';
import { sendEventsAbout } from '../testing/provider-events.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { tillOf } from '../testing/till.ts';
import { closeDays } from './jobs.ts';
import { findSilentStores } from './tables/silent-stores.ts';

let running: Running;
/** A Monday at least a year from now, so that each test has its own days. */
let monday = new Date('2028-01-03T12:00:00Z');

beforeAll(async () => {
  running = await startRunning();
  running.payments.controls.topUp(1_000_000, 'gbp');
});
beforeEach(() => {
  monday = new Date(monday.getTime() + 7 * 86_400_000);
  running.clock.set(monday.toISOString());
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const rated = menu.map((item) => ({ ...item, vat_rate_bps: item.id === 'croissant' ? 0 : 2_000 }));
const coffee = { items: [{ menu_item_id: 'flat-white', quantity: 2 }] };
const owner = (store: OpenStore) => worker(running, store, 'merchant');
const ask = (store: OpenStore, query: string) => owner(store).call('GET', `/api/v1/orders/reports?store_id=${store.id}&${query}`);
const read = async (store: OpenStore, from: string, to = from): Promise<Report> => (await ask(store, `from=${from}&to=${to}`)).body;
const tipsOf = async (store: OpenStore, query: string) =>
  (await owner(store).call('GET', `/api/v1/orders/reports/tips?store_id=${store.id}&${query}`)).body;
const day = (later = 0) => new Date(monday.getTime() + later * 86_400_000).toISOString().slice(0, 10);
const close = async () => {
  await compareLedger(running.service.context);
  await Promise.all([1, 2].map(() => closeDays(running.service.context)));
};

function expectSums(of: ReportFigures): void {
  const vat = of.vat.reduce((sum, { gross_pence }) => sum + gross_pence, 0);
  expect(of.items_pence - of.discounts.amount_pence + of.tips.amount_pence).toBe(of.gross_pence);
  expect(vat + of.tips.amount_pence - of.tips.refunded_pence).toBe(of.gross_pence - of.refunds.amount_pence);
  expect(of.gross_pence - of.refunds.store_pence - of.fees.platform_pence - of.disputes.store_pence).toBe(of.net_pence);
  const taken = (what: 'amount_pence' | 'refunded_pence') => of.takings.reduce((sum, taking) => sum + taking[what], 0);
  expect([taken('amount_pence'), taken('refunded_pence')]).toEqual([of.gross_pence, of.refunds.amount_pence]);
  expect(of.orders.open + of.orders.fulfilled + of.orders.cancelled).toBe(of.orders.paid);
}

describe('the report of a day', () => {
  test('has the sums of its orders, refunds, disputes and payouts, and the same ones when it is closed', async () => {
    const promo = { id: randomUUID(), code: 'TEN', kind: 'percent' as const, value: 10 };
    const store = await running.openStore({}, rated, [], [promo]);
    const plain = await paidOrder(running, store);
    const tipped = await paidOrder(running, store, { ...coffee, tip_pence: 100 });
    await paidOrder(running, store, { ...coffee, promo_code: 'TEN' });
    const disputed = await paidOrder(running, store);
    await plain.refund(200);
    await tipped.refund();
    const failed = await disputed.refund(50);
    running.payments.controls.failRefund(failed.body.refund.id);
    await sendEventsAbout(running, failed.body.refund.id, 'refund.failed');
    const { id } = running.payments.controls.openDispute(disputed.intent);
    await sendEventsAbout(running, id, 'charge.dispute.created');
    running.payments.controls.payOut(store.account, 'gbp', 0);
    await lookAtPayouts(running.service.context, store.account);

    const report = await read(store, day());
    const [today] = report.days;
    expect(report).toMatchObject({ currency: 'GBP', stores: [{ id: store.id, time_zone: 'Europe/London' }] });
    expect(today).toMatchObject({
      closed: false,
      orders: { paid: 4, open: 4, fulfilled: 0, cancelled: 0 },
      gross_pence: 640 + 800 + 630 + 640,
      items_pence: 640 + 700 + 700 + 640,
      discounts: { amount_pence: 70, promos_pence: 70, promo_orders: 1, vouchers_pence: 0, voucher_orders: 0 },
      tips: { orders: 1, amount_pence: 100, refunded_pence: 100 },
      refunds: { count: 3, amount_pence: 1_000 },
      disputes: { opened: 1, withdrawn_pence: 640, returned_pence: 0, provider_fees_pence: 2_000 },
      payouts: { count: 1 },
    });
    expectSums(report.total);
    expect(report.items.map(({ name, quantity, amount_pence }) => [name, quantity, amount_pence])).toEqual([
      ['Flat white', 6, 2_100],
      ['Croissant', 2, 580],
    ]);

    running.clock.advance({ hours: 14 });
    await close();
    const closed = await read(store, day());
    expect(closed.days[0]?.closed).toBe(true);
    const { fees, closed: _closed, ...rest } = today as Report['days'][number];
    expect(closed.days[0]).toMatchObject({ ...rest, fees: { platform_pence: fees.platform_pence } });
    expect(closed.items).toEqual(report.items);
  });

  test('sums what was taken by channel and tender; a refund over two tenders is one, and a till leaves no fee unknown', async () => {
    const store = await running.openStore({}, rated);
    const till = tillOf(running, store);
    await till.sell({ tenders: [{ kind: 'cash' }] });
    const open = await till.open();
    const split = [
      { kind: 'cash', amount_pence: 140 },
      { kind: 'external_card', amount_pence: 500, reference: '1' },
    ];
    await till.pay(open, split);
    await till.refund(open, { amount_pence: 200 });
    await tillOf(running, store, { scopes: 'orders:create' }).sell({ tenders: [{ kind: 'external_card', reference: '2' }] });
    await till.sell({ items: [{ menu_item_id: 'sample', quantity: 1 }] });
    const online = await paidOrder(running, store);
    await online.refund(100);
    const { total } = await read(store, day());
    expect(total.takings).toEqual([
      { channel: 'counter', tender: 'cash', payments: 2, amount_pence: 780, refunded_pence: 140 },
      { channel: 'counter', tender: 'external_card', payments: 1, amount_pence: 500, refunded_pence: 60 },
      { channel: 'counter', tender: 'none', payments: 1, amount_pence: 0, refunded_pence: 0 },
      { channel: 'partner', tender: 'external_card', payments: 1, amount_pence: 640, refunded_pence: 0 },
      { channel: 'phone', tender: 'provider', payments: 1, amount_pence: 640, refunded_pence: 100 },
    ]);
    expect([total.refunds.count, total.fees.unknown_payments]).toEqual([2, 1]);
    expectSums(total);
    running.clock.advance({ hours: 14 });
    await close();
    const closed = await read(store, day());
    expect(closed.days[0]).toMatchObject({ closed: true, takings: total.takings });
    expectSums(closed.total);
  });

  test('names what vouchers took off apart from promo codes, also of an order with both', async () => {
    await using loyalty = await startLoyalty(running);
    const promo = { id: randomUUID(), code: 'TEN', kind: 'percent' as const, value: 10 };
    const store = await running.openStore({}, rated, [], [promo]);
    const voucher = (value: number) => {
      const voucher_id = randomUUID();
      loyalty.issue(voucher_id, { value_kind: 'amount', value, item_id: null });
      return { ...coffee, voucher_id };
    };
    await paidOrder(running, store, voucher(100));
    await paidOrder(running, store, { ...voucher(50), promo_code: 'TEN' });
    await paidOrder(running, store, { ...coffee, promo_code: 'TEN' });
    running.clock.advance({ hours: 14 });
    const open = await read(store, day());
    await close();
    for (const { total } of [open, await read(store, day())]) {
      expect(total).toMatchObject({ items_pence: 2_100, discounts: { vouchers_pence: 150, voucher_orders: 2, promo_orders: 2 } });
      expect(total.discounts.promos_pence).toBe(total.discounts.amount_pence - 150);
      expectSums(total);
    }
  });

  test('an order paid before midnight and refunded after it keeps its day, and the refund has the later one', async () => {
    const store = await running.openStore({}, rated);
    running.clock.set(`${day()}T23:50:00Z`);
    const order = await paidOrder(running, store, { ...coffee, tip_pence: 50 });
    running.clock.advance({ hours: 3 });
    await close();
    const before = await read(store, day());
    await order.refund();
    running.clock.advance({ hours: 24 });
    await close();
    const { days, total } = await read(store, day(), day(1));
    expect(days.map(({ date, gross_pence, refunds, tips }) => [date, gross_pence, refunds.amount_pence, tips.refunded_pence])).toEqual([
      [day(), 750, 0, 0],
      [day(1), 0, 750, 50],
    ]);
    expect(days[0]).toEqual({ ...before.days[0], closed: true });
    expect(days.map(({ net_pence }) => net_pence)).toEqual([715, -715]);
    expect(total).toMatchObject({ gross_pence: 750, net_pence: 0, vat: [{ rate_bps: 2_000, gross_pence: 0, vat_pence: 0 }] });
    for (const figures of [...days, total]) expectSums(figures);
  });

  test('days of the store begin at its midnight over the change to summer time, and sum to the range', async () => {
    const store = await running.openStore({}, rated);
    // In London the clocks go forward on 26 March 2028, a day of 23 hours.
    monday = new Date('2028-03-27T12:00:00Z');
    const times = ['2028-03-25T23:59:00Z', '2028-03-26T00:00:00Z', '2028-03-26T22:59:00Z', '2028-03-26T23:00:00Z'];
    for (const at of times) {
      running.clock.set(at);
      await paidOrder(running, store);
    }
    const open = await read(store, '2028-03-25', '2028-03-27');
    expect(open.days.map(({ orders }) => orders.paid)).toEqual([1, 2, 1]);
    running.clock.set('2028-03-28T03:00:00Z');
    await close();
    const { days, total } = await read(store, '2028-03-25', '2028-03-27');
    expect(days.map(({ orders, closed }) => [orders.paid, closed])).toEqual([1, 2, 1].map((paid) => [paid, true]));
    expect(total).toMatchObject({
      orders: { paid: 4 },
      gross_pence: 2_560,
      net_pence: days.reduce((sum, { net_pence }) => sum + net_pence, 0),
    });
    monday = new Date('2028-04-03T12:00:00Z');
  });

  test('what happens while a store changes its time zone is in one day, and in no other', async () => {
    const store = await running.openStore({}, rated);
    await paidOrder(running, store);
    running.clock.set(`${day(1)}T05:00:00Z`);
    await close();
    // In New York it is still the day that was closed.
    await running.service.database.query(sql.type(z.object({}))`update store set time_zone = 'America/New_York' where id = ${store.id}`);
    running.clock.set(`${day(1)}T02:00:00Z`);
    await paidOrder(running, store);
    running.clock.set(`${day(2)}T02:00:00Z`);
    await paidOrder(running, store);
    for (const isClosed of [false, true]) {
      const { days, total } = await read(store, day(), day(2));
      expect(days.map(({ orders, closed }) => [orders.paid, closed])).toEqual([
        [1, true],
        [2, isClosed],
        [0, false],
      ]);
      expect(total.orders.paid).toBe(3);
      running.clock.set(`${day(2)}T07:00:00Z`);
      await close();
    }
  });

  test('VAT has the rate at which each line was sold', async () => {
    const store = await running.openStore({}, rated);
    await paidOrder(running, store, coffee);
    await running.service.database.query(
      sql.type(z.object({}))`update menu_item set vat_rate_bps = 1250 where store_id = ${store.id} and id = 'flat-white'`,
    );
    await paidOrder(running, store, coffee);
    const { total } = await read(store, day());
    expect(total.vat).toEqual([
      { rate_bps: 2_000, net_pence: 583, vat_pence: 117, gross_pence: 700 },
      { rate_bps: 1_250, net_pence: 622, vat_pence: 78, gross_pence: 700 },
    ]);
  });

  test('a fee that the provider has not said is unknown, and not 0', async () => {
    const store = await running.openStore({}, rated);
    await paidOrder(running, store);
    expect((await read(store, day())).total.fees).toEqual({ platform_pence: 32, provider_pence: null, unknown_payments: 1 });
    running.clock.advance({ hours: 1 });
    await compareLedger(running.service.context);
    await paidOrder(running, store);
    expect((await read(store, day())).total.fees).toEqual({ platform_pence: 64, provider_pence: 30, unknown_payments: 1 });
    expect((await read(store, day(1))).total.fees).toEqual({ platform_pence: 0, provider_pence: 0, unknown_payments: 0 });
  });

  test('says up to when the ledger agrees with the provider’s balance, and by how much it differs', async () => {
    const store = await running.openStore({}, rated);
    const order = await paidOrder(running, store);
    running.clock.advance({ hours: 1 });
    await compareLedger(running.service.context);
    const at = (await read(store, day())).provider_balance.compared_until;
    expect((await read(store, day())).provider_balance).toEqual({
      compared_until: at,
      agreed_at: at,
      agrees: true,
      differences: 0,
      difference_pence: 0,
    });
    expect(Date.parse(at ?? '')).toBe(running.clock.now().getTime() - 15 * 60_000);
    const found_at = running.clock.now().toISOString();
    await running.service.database.query(sql.type(z.object({}))`
      insert into ledger_difference (kind, provider_ref, store_id, order_id, provider_pence, ledger_pence, currency, found_at)
      values ('refund', 're_x', ${store.id}, ${order.id}, -20, null, 'GBP', ${found_at})`);
    const { provider_balance } = await read(store, day());
    expect(provider_balance).toMatchObject({ agrees: false, differences: 1, difference_pence: -20, compared_until: at });
    expect(Date.parse(provider_balance.agreed_at ?? '')).toBe(Date.parse(found_at));
  });
});

describe('a range', () => {
  test('lists the items that sold most, and sums the others', async () => {
    const store = await running.openStore({}, rated);
    await paidOrder(running, store);
    const { body } = await ask(store, `from=${day()}&to=${day()}&items=1`);
    expect([body.items, body.other_items]).toEqual([
      [{ name: 'Flat white', quantity: 1, amount_pence: 350 }],
      { names: 1, quantity: 1, amount_pence: 290 },
    ]);
  });

  test('of more than a year, or one that ends before it begins, is refused by its field', async () => {
    const store = await running.openStore();
    const refused = async (query: string) => {
      const { status, body } = await ask(store, query);
      return [status, body.error?.message];
    };
    expect(await refused('from=2026-01-01&to=2027-01-02')).toEqual([
      400,
      'query.to: must make a range of 366 days at most: ask for less at a time',
    ]);
    expect(await refused('from=2026-01-02&to=2026-01-01')).toEqual([400, 'query.to: must not be before from']);
    expect((await read(store, '2028-01-01', '2028-12-31')).days).toHaveLength(366);
  });

  test('is of all stores that the caller manages, which need one currency; others are refused', async () => {
    const [one, two, euro] = [await running.openStore(), await running.openStore(), await running.openStore({ currency: 'EUR' })];
    for (const store of [one, two, two]) await paidOrder(running, store);
    const asked =
      (...stores: readonly (readonly [OpenStore, 'owner' | 'manager' | 'staff'])[]) =>
      async (store?: OpenStore) => {
        const claims = { typ: 'merchant', scope: '', sub: randomUUID(), stores: stores.map(([{ id }, role]) => ({ id, role })) } as const;
        const query = `from=${day()}&to=${day()}${store ? `&store_id=${store.id}` : ''}`;
        const response = await fetch(`${running.service.url}/api/v1/orders/reports?${query}`, {
          headers: { Authorization: `Bearer ${await running.issuer.token(claims)}` },
        });
        return { status: response.status, body: (await response.json()) as ApiResponse['body'], headers: response.headers };
      };
    const both = await asked([one, 'owner'], [two, 'manager'], [euro, 'staff'])();
    expect([both.body.stores.length, both.body.total.orders.paid]).toEqual([2, 3]);
    expect(codeOf(await asked([one, 'staff'])())).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(codeOf(await asked([one, 'staff'])(one))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect(codeOf(await asked([one, 'owner'])(two))).toEqual([403, 'STORE_FORBIDDEN']);
    const stores = [one, two].map(({ id }) => ({ id, role: 'staff' as const }));
    const byPartner = await fetch(`${running.service.url}/api/v1/orders/reports?from=${day()}&to=${day()}`, {
      headers: { Authorization: `Bearer ${await running.issuer.token({ typ: 'partner', scope: 'reports:read', stores })}` },
    });
    expect(await byPartner.json()).toMatchObject({ total: { orders: { paid: 3 } } });
    const mixed = await asked([one, 'owner'], [euro, 'owner'])();
    expect(mixed.body.error.message).toBe('query.store_id: is needed, because your stores have different currencies (EUR, GBP)');
    const unknown = { ...one, id: randomUUID() };
    expect(codeOf(await asked([unknown, 'owner'])(unknown))).toEqual([404, 'STORE_NOT_FOUND']);
  });

  test('as CSV has a row a day and a total, by format or by what the caller accepts', async () => {
    const store = await running.openStore({}, rated);
    await paidOrder(running, store, { ...coffee, tip_pence: 100 });
    const table = async (query: string, accept: string) => {
      const claims = { typ: 'merchant', scope: '', sub: randomUUID(), stores: [{ id: store.id, role: 'owner' }] } as const;
      return await fetch(`${running.service.url}/api/v1/orders/reports?store_id=${store.id}&from=${day()}&to=${day(1)}${query}`, {
        headers: { Authorization: `Bearer ${await running.issuer.token(claims)}`, Accept: accept },
      });
    };
    const response = await table('&format=csv', '*/*');
    expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      `attachment; filename="report-${day()}-${day(1)}.csv"`,
    ]);
    const text = await response.text();
    const [head = '', first = '', second = '', total = ''] = text.split('\r\n');
    expect(first).toBe(`${day()},GBP,1,0,0,1,7.00,0.00,0.00,1.00,8.00,0,0.00,0.00,-0.35,0,0.00,7.65,unknown,1,0,0.00,5.83,1.17,7.00`);
    expect(head.split(',')).toHaveLength(first.split(',').length);
    expect(second).toMatch(/^\d{4}-\d\d-\d\d,GBP,0,/);
    expect(total).toBe(first.replace(day(), 'total'));
    expect(await (await table('', 'text/csv')).text()).toBe(text);
  });
});

describe('tips', () => {
  test('are listed order by order with what refunds took back, page by page, over closed days and open ones', async () => {
    const store = await running.openStore({}, rated);
    const orders = [];
    for (const tip_pence of [10, 0, 20]) orders.push(await paidOrder(running, store, { ...coffee, tip_pence }));
    running.clock.set(`${day(1)}T12:00:00Z`);
    await close();
    await orders[2]?.refund();
    await paidOrder(running, store, { ...coffee, tip_pence: 30 });
    const all = await tipsOf(store, `from=${day()}&to=${day(1)}`);
    expect(all).toMatchObject({ currency: 'GBP', next: null });
    const sums = all.tips.map(({ date, tip_pence }: { date: string; tip_pence: number }) => [date, tip_pence]);
    expect(sums.toSorted()).toEqual([
      [day(), 10],
      [day(), 20],
      [day(1), -20],
      [day(1), 30],
    ]);
    const paged = [];
    for (let after = ''; ; ) {
      const { tips, next } = await tipsOf(store, `from=${day()}&to=${day(1)}&limit=1${after}`);
      paged.push(...tips);
      if (next === null) break;
      after = `&after=${next}`;
    }
    expect(paged).toEqual(all.tips);
    const { days } = await read(store, day(), day(1));
    for (const { date, tips } of days)
      expect(sums.filter(([of]: [string]) => of === date).reduce((sum: number, [, pence]: [string, number]) => sum + pence, 0)).toBe(
        tips.amount_pence - tips.refunded_pence,
      );
  });

  test('are for those who manage the store', async () => {
    const store = await running.openStore();
    const path = `/api/v1/orders/reports/tips?store_id=${store.id}&from=${day()}&to=${day()}`;
    expect(codeOf(await worker(running, store).call('GET', path))).toEqual([403, 'INSUFFICIENT_ROLE']);
    const unknown = { ...store, id: randomUUID() };
    expect(codeOf(await owner(unknown).call('GET', path.replace(store.id, unknown.id)))).toEqual([404, 'STORE_NOT_FOUND']);
  });
});

test('a store is silent when it is paid nothing at an hour when it was paid in three of the last four weeks, and takes orders', async () => {
  const { database } = running.service;
  const store = await running.openStore();
  const { id } = await paidOrder(running, store);
  running.clock.advance({ hours: 2 });
  const pay = async (weeksAgo: number, minutesBefore: number, count: number) => {
    const at = new Date(running.clock.now().getTime() - weeksAgo * 604_800_000 - minutesBefore * 60_000).toISOString();
    await database.query(sql.type(z.object({}))`
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      select ${store.id}, ${id}, 'charge', gen_random_uuid()::text, 100, ${at} from generate_series(1, ${count})`);
  };
  const isSilent = async () => (await findSilentStores(database, running.clock.now())).includes(store.code);
  for (const week of [1, 2]) await pay(week, 30, 3);
  // Too few payments, and outside the hour.
  await pay(3, 30, 2);
  await pay(3, 61, 3);
  await pay(4, -1, 3);
  expect(await isSilent()).toBe(false);
  await pay(4, 59, 3);
  expect(await isSilent()).toBe(true);
  const change = (columns: string) => running.asSuperuser(`update store set ${columns} where id = '${store.id}'`);
  const until = new Date(running.clock.now().getTime() + 60_000).toISOString();
  for (const [paused, taking] of [
    [`paused_until = '${until}'`, 'paused_until = null'],
    ['staff_pause = true', 'staff_pause = false'],
    ['live = false', 'live = true'],
    [`closures = '[{"starts_at": "2020-01-01T00:00:00Z", "ends_at": "${until}"}]'`, `closures = '[]'`],
  ] as const) {
    await change(paused);
    expect({ paused, silent: await isSilent() }).toEqual({ paused, silent: false });
    await change(taking);
  }
  expect(await isSilent()).toBe(true);
  await pay(0, 59, 1);
  expect(await isSilent()).toBe(false);
});
