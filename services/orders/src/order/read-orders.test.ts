// covers: listOrders, getOrder, orderLog

import { randomUUID } from 'node:crypto';
import { directoryCustomer } from '@corner/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { writeContact } from '../shop/tables/projections.ts';
import { type ApiResponse, codeOf, customer, worker } from '../testing/callers.ts';
import { putEnded, putLive } from '../testing/put-orders.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('listing orders', () => {
  let store: OpenStore;

  beforeEach(async () => {
    store = await running.openStore();
  });

  type Row = { id: string; created_at: string; parent_order_id: string | null };

  const list = (query: Record<string, string | number>, of = store): Promise<ApiResponse> =>
    worker(running, of).call('GET', `/api/v1/orders?${new URLSearchParams({ store_id: of.id, ...query } as Record<string, string>)}`);
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

  async function* pages(limit: number, scope: 'history' | 'active' = 'history'): AsyncGenerator<Row[]> {
    for (let cursor = {}; ; ) {
      const { status, body } = await list({ scope, limit, ...cursor });
      expect(status).toBe(200);
      yield body.orders;
      if (body.orders.length < limit) return;
      const { created_at, id } = body.orders.at(-1);
      cursor = { before: created_at, before_id: id };
    }
  }

  describe('the list of ended orders', () => {
    test.each([1, 7, 100])(
      'returns each of 1,000 orders once, %i a page, newest first, although three share each microsecond',
      async (limit) => {
        const ids = await putEnded(running, store, { orders: 334, legs: 2, from: '2026-05-01T12:00:00.999800Z' });
        const met: Row[] = [];
        for await (const page of pages(limit)) met.push(...page);
        expect(met).toHaveLength(1_002);
        expect(new Set(idsOf(met))).toEqual(new Set(ids));
        expect(met.filter(({ parent_order_id }) => parent_order_id)).toHaveLength(668);
        const keys = met.map(({ created_at, id }) => `${created_at} ${id}`);
        expect(keys).toEqual(keys.toSorted().reverse());
        expect(new Set(met.map(({ created_at }) => created_at)).size).toBe(334);
      },
    );

    test('repeats and skips no order while new ones are added', async () => {
      const ids = await putEnded(running, store, { orders: 20, legs: 2, from: '2026-05-01T12:00:00Z' });
      const met: Row[] = [];
      for await (const page of pages(7)) {
        met.push(...page);
        await putEnded(running, store, { orders: 5, from: new Date(Date.UTC(2026, 5, 1, 0, 0, met.length)).toISOString() });
      }
      expect(idsOf(met).toSorted()).toEqual(ids.toSorted());
    });

    test('repeats all orders of the boundary’s instant without before_id', async () => {
      await putEnded(running, store, { orders: 4, legs: 2, from: '2026-05-01T12:00:00Z' });
      const { body: first } = await list({ scope: 'history', limit: 5 });
      const { body: next } = await list({ scope: 'history', limit: 100, before: first.orders[4].created_at });
      expect(next.orders).toHaveLength(9);
      expect(idsOf(next.orders).slice(0, 2)).toEqual(idsOf(first.orders).slice(3));
      expect(new Set([...idsOf(first.orders), ...idsOf(next.orders)]).size).toBe(12);
    });

    test('passes an instant with more rows than a page only with before_id', async () => {
      const ids = await putEnded(running, store, { orders: 1, legs: 9, from: '2026-05-01T12:00:00Z' });
      const { body: first } = await list({ scope: 'history', limit: 4 });
      expect((await list({ scope: 'history', limit: 4, before: first.orders[3].created_at })).body).toEqual(first);
      const met: Row[] = [];
      for await (const page of pages(4)) met.push(...page);
      expect(idsOf(met).toSorted()).toEqual(ids.toSorted());
    });

    test('accepts the same instant in any existing time zone', async () => {
      await putEnded(running, store, { orders: 3, from: '2026-05-01T12:00:00Z' });
      const until = async (before: string) => (await list({ scope: 'history', before })).body.orders.length;
      expect(await until('2026-05-01T13:00:00.000001+01:00')).toBe(2);
      expect(await until('2026-05-02T02:00:00+14:00')).toBe(1);
      expect(await until('2026-05-01T00:00:00-12:00')).toBe(1);
      expect(await until('0001-01-01T00:00:00Z')).toBe(0);
      expect(await until('9999-12-31T23:59:59.999999-14:00')).toBe(3);
    });

    test('contains fulfilled, cancelled and never paid orders, with their lines', async () => {
      const { body: unpaid } = await customer(running).create(store, { order_type: 'collect' });
      const order = await customer(running).paid(store, { order_type: 'collect' });
      expect((await list({ scope: 'history' })).body).toEqual({ orders: [], scope: 'history' });
      await worker(running, store).advance(order.order_id, 'cancelled');
      await running.service.database.query(sql.unsafe`update orders set payment_status = 'expired' where id = ${unpaid.order_id}`);
      const { body } = await list({ scope: 'history' });
      expect(idsOf(body.orders)).toStrictEqual([order.order_id, unpaid.order_id]);
      expect(body.orders[0].items.map(({ name }: { name: string }) => name)).toEqual(['Flat white', 'Croissant']);
      expect(body.orders[0].created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    });
  });

  describe('an invalid cursor or query', () => {
    const id = randomUUID();
    const now = '2026-05-01T12:00:00Z';
    test.each([
      ['before_id', { before_id: id }],
      ['before', { before: '' }],
      ['before', { before: '', before_id: id }],
      ['before', { before: 'yesterday' }],
      ['before', { before: 'infinity' }],
      ['before', { before: '1777636800' }],
      ['before', { before: '2026-05-01' }],
      ['before', { before: '2026-05-01T12:00:00' }],
      ['before', { before: '2026-05-01T12:00:00.000001' }],
      ['before', { before: '2026-02-30T12:00:00Z' }],
      ['before', { before: '2025-02-29T12:00:00Z' }],
      ['before', { before: '2026-05-01T25:00:00Z' }],
      ['before', { before: '2026-05-01T12:00:00.0000001Z' }],
      ['before', { before: '2026-05-01T12:00:00+23:00' }],
      ['before', { before: '2026-05-01T12:00:00-16:00' }],
      ['before', { before: '0000-01-01T00:00:00Z' }],
      ['before', { before: '+012026-05-01T12:00:00Z' }],
      ['before', { before: `${now}'` }],
      ['before', { before: `${now}\n` }],
    ])('is refused, naming %s: %j', async (field, cursor) => {
      const { status, body } = await list({ scope: 'history', ...(cursor as Record<string, string>) });
      expect([status, body.error.code]).toEqual([400, 'INVALID_CURSOR']);
      expect(body.error.message).toMatch(new RegExp(`^${field}:`));
    });

    test.each([
      ['before_id', { before: now, before_id: '17' }],
      ['limit', { limit: '0' }],
      ['limit', { limit: '101' }],
      ['limit', { limit: '1.5' }],
      ['limit', { limit: 'abc' }],
      ['limit', { limit: '1e2' }],
      ['limit', { limit: '0x10' }],
      ['limit', { limit: '+5' }],
      ['limit', { limit: ' 5' }],
      ['limit', { limit: '5.0' }],
      ['limit', { limit: '' }],
      ['scope', { scope: 'all' }],
    ])('is refused when %s is out of range: %j', async (field, query) => {
      const { status, body } = await list({ scope: 'history', ...(query as Record<string, string>) });
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.error.message).toContain(field);
    });
  });

  describe('the list of active orders', () => {
    const slotIn = (hours: number) => {
      const [starts_at, ends_at] = [hours, hours + 1].map((h) => new Date(running.clock.now().getTime() + h * 3_600_000).toISOString());
      return { id: randomUUID(), starts_at: starts_at as string, ends_at: ends_at as string, capacity: null, open: true };
    };

    test('contains paid orders that have not ended, oldest due first, up to the limit', async () => {
      const [sooner, later] = [slotIn(1), slotIn(2)];
      store = await running.openStore({}, menu, [sooner, later]);
      const at = (slot: { id: string }) => customer(running).paid(store, { collection_mode: 'scheduled', slot_id: slot.id });
      const notify = await at(later);
      const soon = [await at(sooner), await at(sooner), await at(sooner)].map(({ order_id }) => order_id).toSorted();
      const now = await customer(running).paid(store, { order_type: 'collect' });
      const over = await customer(running).paid(store, { order_type: 'collect' });
      await worker(running, store).advance(over.order_id, 'cancelled');
      await customer(running).create(store);
      const { body } = await list({});
      expect(body.scope).toBe('active');
      expect(idsOf(body.orders)).toStrictEqual([now.order_id, ...soon, notify.order_id]);
      expect(idsOf((await list({ limit: 2 })).body.orders)).toStrictEqual([now.order_id, soon[0]]);
    });

    test.each([1, 7, 50])(
      'returns each of 110 orders once, %i a page, oldest due first, although many are due at one time',
      async (limit) => {
        const ids = await putLive(running, store, { orders: 37, legs: 2, from: '2026-05-01T12:00:00.999800Z' });
        const met: Row[] = [];
        for await (const page of pages(limit, 'active')) met.push(...page);
        expect(met).toHaveLength(111);
        expect(idsOf(met)).toStrictEqual(ids);
      },
    );

    test('skips and repeats no order that moves to an earlier slot, ends or is placed between two pages', async () => {
      const slots = [1, 2, 3, 4, 5, 6, 7, 8].map(slotIn);
      store = await running.openStore({}, menu, slots);
      const placed = new Map<string, ReturnType<typeof customer>>();
      for (const slot of slots.slice(2)) {
        const buyer = customer(running);
        const { order_id } = await buyer.paid(store, { collection_mode: 'scheduled', slot_id: slot.id });
        placed.set(order_id, buyer);
      }
      const staff = worker(running, store);
      const moveEarlier = async (orderId: string, slot: { id: string } | undefined) => {
        for (const status of ['preparing', 'ready']) await staff.advance(orderId, status);
        const body = { store_id: store.id, order_id: orderId, slot_id: slot?.id };
        expect(
          (await (placed.get(orderId) as ReturnType<typeof customer>).call('POST', '/api/v1/orders/collect-earlier', body)).status,
        ).toBe(200);
      };
      const ids = [...placed.keys()];
      const met: Row[] = [];
      for await (const page of pages(2, 'active')) {
        met.push(...page);
        if (met.length !== 2) continue;
        // The boundary row moves before all others; one not yet listed moves before the boundary; one already listed ends.
        await moveEarlier(ids[1] as string, slots[0]);
        await moveEarlier(ids[4] as string, slots[1]);
        await staff.advance(ids[0] as string, 'cancelled');
        await customer(running).paid(store, { collection_mode: 'scheduled', slot_id: slots[0]?.id });
      }
      expect(idsOf(met)).toStrictEqual(ids);
    });

    test('goes on after a boundary row that has ended', async () => {
      const ids = await putLive(running, store, { orders: 4, from: '2026-05-01T12:00:00Z' });
      const { body: first } = await list({ limit: 2 });
      await worker(running, store).advance(ids[1] as string, 'cancelled');
      const { created_at: before, id: before_id } = first.orders[1];
      expect(idsOf((await list({ before, before_id })).body.orders)).toStrictEqual(ids.slice(2));
      expect(idsOf((await list({ before })).body.orders)).toStrictEqual(ids.slice(2));
    });

    test('repeats the boundary row without before_id, and every order that is due later', async () => {
      const ids = await putLive(running, store, { orders: 4, legs: 2, from: '2026-05-01T12:00:00Z' });
      const { body: first } = await list({ limit: 5 });
      const { body: next } = await list({ before: first.orders[4].created_at });
      expect(new Set([...idsOf(first.orders), ...idsOf(next.orders)])).toEqual(new Set(ids));
      expect(idsOf(next.orders)).toContain(first.orders[4].id);
    });

    test('refuses a cursor that no order of the store has', async () => {
      const order = await customer(running).paid(store, { order_type: 'collect' });
      const { created_at } = (await list({})).body.orders[0];
      const other = await running.openStore();
      const refused = [
        await list({ before: 'yesterday', before_id: order.order_id }),
        await list({ before_id: order.order_id }),
        await list({ before: created_at, before_id: randomUUID() }),
        await list({ before: '2026-05-01T12:00:00Z', before_id: order.order_id }),
        await list({ before: '2026-05-01T12:00:00Z' }),
        await list({ before: created_at, before_id: order.order_id }, other),
      ];
      for (const { status, body } of refused) expect([status, body.error.code]).toEqual([400, 'INVALID_CURSOR']);
    });
  });

  describe('access to the list of orders', () => {
    test('a caller without a token, a customer, and staff of another store are refused', async () => {
      const path = `/api/v1/orders?store_id=${store.id}`;
      expect((await fetch(`${running.service.url}${path}`)).status).toBe(401);
      expect(codeOf(await customer(running).call('GET', path))).toEqual([403, 'WRONG_TOKEN_TYPE']);
      const other = worker(running, await running.openStore(), 'merchant');
      expect(codeOf(await other.call('GET', path))).toEqual([403, 'STORE_FORBIDDEN']);
      expect(codeOf(await other.call('GET', `${path}&scope=history`))).toEqual([403, 'STORE_FORBIDDEN']);
    });

    test('the list contains no orders of another store', async () => {
      const order = await customer(running).paid(store, { order_type: 'collect' });
      await putEnded(running, store, { orders: 3, from: '2026-05-01T12:00:00Z' });
      const other = await running.openStore();
      expect((await list({}, other)).body.orders).toEqual([]);
      expect((await list({ scope: 'history' }, other)).body.orders).toEqual([]);
      expect(idsOf((await list({})).body.orders)).toEqual([order.order_id]);
    });
  });
});

describe('getting one order', () => {
  let store: OpenStore;

  beforeAll(async () => {
    store = await running.openStore();
  });

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
      total_pence: 636,
      tip_pence: 60,
      discount_pence: 64,
      refunded_pence: 0,
      disputed: false,
      table_number: '7',
      customer_id: ana.sub,
      customer_name: null,
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
        row.parent_order_id === null,
        row.total_pence,
        row.discount_pence,
        row.tip_pence,
        row.disputed,
      ]);
    // Their order depends on how far the machine's clock is ahead of the held one.
    expect((await rows()).toSorted((a: unknown[], b: unknown[]) => Number(b[0]) - Number(a[0]))).toEqual([
      [true, 340, 320, 20, false],
      [false, 145, 145, 0, false],
    ]);
    await running.service.database.query(sql.unsafe`update orders set disputed = true where id = ${order.order_id}`);
    expect((await rows()).map((row: unknown[]) => row[4])).toEqual([true, true]);
  });

  const nameCustomer = (id: string, name: string) =>
    running.service.database.transaction((tx) => writeContact(tx, directoryCustomer.data.parse({ id, version: 1, name })));

  test('an order of another store and an unknown order are 404', async () => {
    const order = await customer(running).paid(store);
    const other = worker(running, await running.openStore());
    expect(codeOf(await other.get(order.order_id))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await worker(running, store).get(randomUUID()))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(codeOf(await worker(running, store).get('17'))).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('a caller without a token, a customer, and staff of another store are refused', async () => {
    const buyer = customer(running);
    const order = await buyer.paid(store);
    const path = `/api/v1/orders/${order.order_id}?store_id=${store.id}`;
    expect((await fetch(`${running.service.url}${path}`)).status).toBe(401);
    expect(codeOf(await buyer.call('GET', path))).toEqual([403, 'WRONG_TOKEN_TYPE']);
    const other = worker(running, await running.openStore(), 'merchant');
    expect(codeOf(await other.call('GET', path))).toEqual([403, 'STORE_FORBIDDEN']);
    expect(codeOf(await worker(running, store).call('GET', `/api/v1/orders/${order.order_id}`))).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('the log of an order', () => {
  let store: OpenStore;

  beforeAll(async () => {
    store = await running.openStore();
  });

  test('the log returns newest first who did what, with their reason and the amount', async () => {
    const order = await customer(running).paid(store, { order_type: 'collect' });
    const staff = worker(running, store);
    running.clock.advance({ minutes: 2 });
    await staff.advance(order.order_id, 'preparing');
    await staff.refund(order.order_id, { amount_pence: 100 });
    const { status, body } = await staff.call('GET', `/api/v1/orders/${order.order_id}/log?store_id=${store.id}`);
    expect(status).toBe(200);
    expect(body.entries.map(({ title }: { title: string }) => title)).toEqual([
      'The refund was accepted',
      'A refund was requested',
      'Preparation began',
      'Payment was received',
      'The customer placed the order',
    ]);
    expect(body.entries[1]).toMatchObject({ detail: 'It was cold.', actor: 'Ada' });
    expect(body.entries[3].amount_pence).toBe(640);
    expect(body.entries[2].at).toBe(running.clock.now().toISOString().replace('Z', '000Z'));
  });

  test('without store_id the caller must belong to the order’s store', async () => {
    const order = await customer(running).paid(store);
    const path = `/api/v1/orders/${order.order_id}/log`;
    expect((await worker(running, store).call('GET', path)).body.entries).toHaveLength(2);
    const other = worker(running, await running.openStore());
    const refused = await other.call('GET', path);
    expect([refused.status, refused.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    expect((await other.call('GET', `${path}?store_id=${store.id}`)).body.error.code).toBe('STORE_FORBIDDEN');
  });

  test('the log of an unknown order is 404, and a customer gets 403', async () => {
    const path = `/api/v1/orders/${randomUUID()}/log?store_id=${store.id}`;
    expect((await worker(running, store).call('GET', path)).status).toBe(404);
    expect((await customer(running).call('GET', path)).body.error.code).toBe('WRONG_TOKEN_TYPE');
  });
});
