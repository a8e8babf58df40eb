// covers: createOrder, setBusinessStatus, collectEarlier

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type ApiResponse, codeOf, customer, pay, worker } from '../testing/callers.ts';
import { eventsOf, expireOverdue, ledgerOf, logOf, ordersOf, takenOf, usedOf, usesOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, miscounted, setStatus, slotIn, wholeStore } from '../testing/whole-store.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('creating a mixed order', () => {
  const line = (menu_item_id: string, quantity = 1) => ({ menu_item_id, quantity });
  const now = (...items: ReturnType<typeof line>[]) => ({ role: 'now', items });
  const collect = (items: ReturnType<typeof line>[], when: Record<string, unknown> = {}) => ({ role: 'collect', items, ...when });
  const basket = (slot_id?: string) => ({
    items: [],
    fulfilment_groups: [
      now(line('flat-white')),
      collect([line('croissant')]),
      collect([line('croissant'), line('flat-white')], slot_id ? { slot_id } : {}),
    ],
  });

  interface Held {
    readonly store: OpenStore;
    readonly slotId: string;
    readonly promoId: string;
  }

  async function open(promo: { kind: 'percent' | 'amount'; value: number } = { kind: 'percent', value: 10 }): Promise<Held> {
    const [slotId, promoId] = [randomUUID(), randomUUID()];
    const at = (hours: number) => new Date(running.clock.now().getTime() + hours * 3_600_000).toISOString();
    const slots = [{ id: slotId, starts_at: at(2), ends_at: at(3), capacity: 2 }];
    return { store: await running.openStore({}, menu, slots, [{ id: promoId, code: 'SPRING', ...promo }]), slotId, promoId };
  }

  const Row = z.object({
    id: z.string(),
    order_number: z.string(),
    parent: z.string().nullable(),
    order_type: z.string(),
    at: z.string(),
    total: z.number(),
    tip: z.number(),
    cut: z.number(),
    intent: z.string().nullable(),
    subtotal: z.number(),
    code: z.string().nullable(),
  });

  const rowsOf = async (orderId: string) =>
    await running.service.database.any(sql.type(Row)`
      select id, order_number, parent_order_id as parent, order_type, created_at::text as at, total_pence as total, tip_pence as tip,
        subtotal_pence as subtotal, promo_discount_pence as cut, payment_intent_id as intent, collection_code as code
      from orders where id = ${orderId} or parent_order_id = ${orderId} order by order_number`);

  const list = async (store: OpenStore, scope: 'active' | 'history' = 'active') =>
    (await worker(running, store).call('GET', `/api/v1/orders?store_id=${store.id}&scope=${scope}`)).body.orders as { id: string }[];

  test('a mixed basket becomes one order with legs, consecutive numbers and one payment', async () => {
    const { store, slotId } = await open();
    const { status, body } = await customer(running).create(store, { ...basket(slotId), promo_code: 'spring', tip_pence: 55 });
    expect([status, body.amount_pence]).toEqual([200, 1_280 - 128 + 55]);
    expect(body).not.toHaveProperty('children');
    const [parent, ...legs] = await rowsOf(body.order_id);
    expect(parent).toMatchObject({
      id: body.order_id,
      parent: null,
      order_type: 'buy_now',
      total: 1_207,
      tip: 55,
      cut: 128,
      subtotal: 1_280,
    });
    expect(legs.map(({ order_number }) => order_number)).toEqual([`${body.order_number}-1`, `${body.order_number}-2`]);
    // Ten percent of 290 and of 640, and of 350 for the part taken now.
    expect(legs.map(({ total, tip, cut }) => [total, tip, cut])).toEqual([
      [261, 0, 29],
      [576, 0, 64],
    ]);
    for (const leg of legs) expect(leg).toMatchObject({ parent: body.order_id, order_type: 'collect', at: parent?.at, intent: null });
    const intents = running.payments.books().intents.filter(({ metadata }) => metadata.store_id === store.id);
    expect(intents.map(({ id, amount }) => [id, amount])).toEqual([[body.payment_intent_id, 1_207]]);
    expect(await usedOf(running, slotId)).toBe(1);
  });

  test('legs are hidden until they are paid; then each has its own collection code and every confirm returns them', async () => {
    const { store, slotId } = await open();
    const ada = customer(running);
    const { body: order } = await ada.create(store, basket(slotId));
    expect([await list(store), await list(store, 'history')]).toEqual([[], []]);
    await pay(running, order.payment_intent_id);
    const confirms = await Promise.all([1, 2, 3].map(() => ada.confirm(store, order.payment_intent_id)));
    const [parent, ...legs] = await rowsOf(order.order_id);
    const codes = legs.map(({ code }) => code);
    expect(new Set(codes).size).toBe(2);
    for (const code of codes) expect(code).toMatch(/^[2-9A-Z]{4}$/);
    for (const { status, body } of confirms) {
      expect([status, body.order_id, body.total_pence]).toEqual([200, order.order_id, 1_280]);
      expect(body.children).toMatchObject(
        legs.map(({ id, order_number, code, total }) => ({ order_id: id, order_number, collection_code: code, total_pence: total })),
      );
    }
    const [{ body }] = confirms as [ApiResponse];
    expect(body.children.map(({ fulfilment_status }: { fulfilment_status: string }) => fulfilment_status)).toEqual([
      'accepted',
      'accepted',
    ]);
    expect(parent?.code).toBeNull();
    expect((await list(store)).map(({ id }) => id).toSorted()).toEqual([parent, ...legs].map((row) => row?.id).toSorted());
    const published = await eventsOf(running, order.order_id);
    expect(published.filter(({ type }) => type === 'order.paid').map(({ data }) => data.leg_ids)).toEqual([legs.map(({ id }) => id)]);
    for (const { id } of legs) expect((await eventsOf(running, id)).map(({ type }) => type)).toEqual(['order.fulfilment_changed']);
    expect(await ledgerOf(running, order.order_id)).toEqual([{ kind: 'charge', amount_pence: 1_280 }]);
  });

  test('a mixed order that costs nothing is paid at once and returns its legs, also to a repeat', async () => {
    const { store, slotId } = await open({ kind: 'percent', value: 100 });
    const ada = customer(running);
    const request = { ...basket(slotId), promo_code: 'spring', idempotency_key: randomUUID() };
    const responses = await Promise.all(Array.from({ length: 10 }, () => ada.create(store, request)));
    const body = responses[0]?.body;
    expect(body).toMatchObject({ status: 'paid', requires_payment: false, amount_pence: 0 });
    expect(body.children).toMatchObject([
      { order_number: `${body.order_number}-1`, total_pence: 0 },
      { order_number: `${body.order_number}-2` },
    ]);
    for (const child of body.children) expect(child.collection_code).toMatch(/^[2-9A-Z]{4}$/);
    for (const response of responses) expect([response.status, response.body]).toEqual([200, body]);
    expect(await ordersOf(running, store.id)).toBe(3);
  });

  describe('contradictions in fulfilment_groups are refused', () => {
    const flat = line('flat-white');
    test.each([
      ['two groups to take now', { fulfilment_groups: [now(flat), now(flat), collect([flat])] }],
      ['nothing to collect', { fulfilment_groups: [now(flat)] }],
      ['six groups to collect', { fulfilment_groups: Array(6).fill(collect([flat])) }],
      ['items that are more than the groups', { items: [line('flat-white', 3)], fulfilment_groups: [now(flat), collect([flat])] }],
      ['items that differ from the groups', { items: [flat, line('croissant')], fulfilment_groups: [now(flat), collect([flat])] }],
      ['a slot beside the groups', { slot_id: randomUUID(), fulfilment_groups: [now(flat), collect([flat])] }],
      ['a time beside the groups', { requested_collection_at: '2040-01-01T12:00:00Z', fulfilment_groups: [now(flat), collect([flat])] }],
    ])('%s', async (_name, request) => {
      const { store } = await open();
      const response = await customer(running).create(store, { items: [], ...request });
      expect(codeOf(response)).toEqual([400, 'GROUPS_MISMATCH']);
      expect(response.body.error.message).toMatch(/^(fulfilment_groups|items|slot_id|requested_collection_at): /);
      expect(await ordersOf(running, store.id)).toBe(0);
    });

    test.each([
      ['fulfilment_groups[0].slot_id', [{ ...now(flat), slot_id: randomUUID() }, collect([flat])]],
      ['fulfilment_groups[1].slot_id', [now(flat), collect([flat], { collection_mode: 'scheduled' })]],
      ['fulfilment_groups[1].slot_id', [now(flat), collect([flat], { collection_mode: 'now', slot_id: randomUUID() })]],
      ['fulfilment_groups[1].items', [now(flat), collect([])]],
      ['fulfilment_groups', Array(7).fill(collect([flat]))],
    ])('a contradiction inside a group names the field %s', async (field, fulfilment_groups) => {
      const { body, status } = await customer(running).create((await open()).store, { items: [], fulfilment_groups });
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.error.message).toContain(field);
    });

    test.each([
      ['the sum of the groups, with one item in two lines', { items: [line('croissant'), line('flat-white', 2), line('croissant')] }],
      ['no group to take now, and five to collect', { fulfilment_groups: Array(5).fill(collect([flat])) }],
    ])('fulfilment_groups accept %s', async (_name, request) => {
      expect(codeOf(await customer(running).create((await open()).store, { ...basket(), ...request }))).toEqual([200, undefined]);
    });
  });

  describe('a mixed order takes all its holds or none', () => {
    test('two legs in a slot with one place, and items that only the sum of the parts exceeds, are refused', async () => {
      const { store, slotId, promoId } = await open();
      const cake = line('last-cake');
      const full = { items: [], promo_code: 'spring', fulfilment_groups: Array(3).fill(collect([line('croissant')], { slot_id: slotId })) };
      expect(codeOf(await customer(running).create(store, full))).toEqual([409, 'SLOT_JUST_FILLED']);
      const sold = { items: [], promo_code: 'spring', fulfilment_groups: [now(cake), collect([cake], { slot_id: slotId })] };
      expect(codeOf(await customer(running).create(store, sold))).toEqual([409, 'OUT_OF_STOCK']);
      const left = [await ordersOf(running, store.id), await usedOf(running, slotId), await takenOf(running, store.id)];
      expect([left, await usesOf(running, promoId)]).toEqual([[0, 0, 0], 0]);
    });

    test('of twenty orders for the same two places one gets them, and they are released when it expires', async () => {
      const { store, slotId, promoId } = await open();
      const request = {
        items: [],
        promo_code: 'spring',
        fulfilment_groups: Array(2).fill(collect([line('croissant')], { slot_id: slotId })),
      };
      const responses = await Promise.all(Array.from({ length: 20 }, () => customer(running).create(store, request)));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect([await usedOf(running, slotId), await usesOf(running, promoId), await ordersOf(running, store.id)]).toEqual([2, 1, 3]);
      await Promise.all([expireOverdue(running), expireOverdue(running)]);
      expect(await list(store, 'history')).toHaveLength(1);
      expect([await usedOf(running, slotId), await usesOf(running, promoId)]).toEqual([0, 0]);
      expect(await list(store)).toEqual([]);
    });
  });
});

describe('moving a mixed order', () => {
  let store: OpenStore;
  let slot: ReturnType<typeof slotIn>;

  beforeAll(async () => {
    slot = slotIn(running, 60, 400);
    store = await running.openStore({}, countedMenu, [slot]);
  });
  afterEach(async () => {
    expect(await miscounted(running)).toEqual([]);
  });

  const staff = () => worker(running, store);
  const publishedTypes = async (id: string) => (await eventsOf(running, id)).map(({ type }) => type);
  const ends = async (id: string) => (await logOf(running, id)).filter((kind) => kind === 'collected' || kind === 'cancelled');
  const toReady = async (...legs: string[]) => {
    for (const leg of legs) for (const step of ['preparing', 'ready']) expect((await staff().advance(leg, step)).status).toBe(200);
  };

  async function mixed(legs: number, now = true) {
    const by = customer(running);
    const own = now ? [{ role: 'now', items: [{ menu_item_id: 'croissant', quantity: 1 }] }] : [];
    const groups = Array.from({ length: legs }, () => ({
      role: 'collect',
      slot_id: slot.id,
      items: [{ menu_item_id: 'cake', quantity: 1 }],
    }));
    const { body: order } = await by.create(store, { items: [], fulfilment_groups: [...own, ...groups] });
    const { body } = await by.payAndConfirm(store, order);
    expect(body.children).toHaveLength(legs);
    return { by, id: order.order_id as string, legs: body.children.map(({ order_id }: { order_id: string }) => order_id) as string[] };
  }

  const State = z.object({ id: z.string(), business: z.string(), fulfilment: z.string() });
  const statesOf = async (id: string) =>
    (
      await running.service.database.any(sql.type(State)`
        select id, business_status as business, fulfilment_status as fulfilment from orders
        where id = ${id} or parent_order_id = ${id} order by parent_order_id nulls first, order_number`)
    ).map(({ business, fulfilment }) => `${business} ${fulfilment}`);

  test('cancelling the order cancels its open legs and keeps the collected ones', async () => {
    const { id, legs } = await mixed(3);
    const [first, second, third] = legs as [string, string, string];
    await toReady(first, second);
    await staff().advance(first, 'collected');
    const [used, taken] = [await usedOf(running, slot.id), await takenOf(running, store.id, 'cake')];
    const { body } = await setStatus(staff(), store, id, 'cancelled', 'Power cut.');
    expect(body.order).toMatchObject({ id, status: 'cancelled' });
    expect(await statesOf(id)).toEqual(['cancelled cancelled', 'fulfilled collected', 'cancelled cancelled', 'cancelled cancelled']);
    expect([await usedOf(running, slot.id), await takenOf(running, store.id, 'cake')]).toEqual([used - 2, taken - 1]);
    expect((await publishedTypes(id)).slice(1)).toEqual(['order.status_changed', 'order.cancelled']);
    expect((await publishedTypes(third)).slice(-2)).toEqual(['order.fulfilment_changed', 'order.cancelled']);
    expect(await publishedTypes(first)).not.toContain('order.cancelled');
    const owner = worker(running, store, 'merchant');
    const { entries } = (await owner.call('GET', `/api/v1/orders/${id}/log?store_id=${store.id}`)).body;
    expect(entries[0]).toMatchObject({
      title: 'The order was cancelled',
      detail: expect.stringMatching(/^Power cut\. No refund was made\. £[\d.]+ can be refunded\.$/),
      actor: 'Ada',
    });

    const before = await wholeStore(running, store);
    for (const one of [id, second, third]) expect((await setStatus(staff(), store, one, 'cancelled')).status).toBe(200);
    expect(await wholeStore(running, store)).toEqual(before);
  });

  test('cancelling a leg changes only that leg', async () => {
    const { id, legs } = await mixed(2);
    const [first, second] = legs as [string, string];
    const [used, taken] = [await usedOf(running, slot.id), await takenOf(running, store.id, 'cake')];
    expect((await staff().advance(first, 'cancelled')).body.order).toMatchObject({ id: first, fulfilment_status: 'cancelled' });
    expect(await statesOf(id)).toEqual(['placed accepted', 'cancelled cancelled', 'placed accepted']);
    expect([await usedOf(running, slot.id), await takenOf(running, store.id, 'cake')]).toEqual([used - 1, taken - 1]);
    expect(await publishedTypes(id)).toEqual(['order.paid']);
    expect(await publishedTypes(second)).toEqual(['order.fulfilment_changed']);
    expect(await ends(id)).toEqual([]);
  });

  test('the last leg to end ends the order when its own part was handed over', async () => {
    const { id, legs } = await mixed(2);
    const [first, second] = legs as [string, string];
    await setStatus(staff(), store, id, 'fulfilled');
    expect(await statesOf(id)).toEqual(['placed collected', 'placed accepted', 'placed accepted']);
    expect((await setStatus(staff(), store, id, 'ready')).body.error.message).toBe(
      'status: the order is handed over and cannot become ready; allowed: cancelled.',
    );
    await toReady(first, second);
    await staff().advance(first, 'collected');
    expect((await statesOf(id))[0]).toBe('placed collected');
    running.clock.advance({ minutes: 1 });
    await staff().advance(second, 'cancelled');
    expect(await statesOf(id)).toEqual(['fulfilled collected', 'fulfilled collected', 'cancelled cancelled']);
    expect((await publishedTypes(id)).slice(1)).toEqual(['order.status_changed']);
    expect((await eventsOf(running, id)).at(-1)?.data).toMatchObject({ from: 'placed', to: 'fulfilled' });
    const { body } = await staff().get(id);
    // Its own part was handed over a minute before the order ended.
    expect(Date.parse(body.order.collected_at)).toBe(running.clock.now().getTime() - 60_000);
  });

  test('when all legs have ended the order ends with its own part', async () => {
    const { id, legs } = await mixed(1);
    await toReady(...legs);
    await staff().advance(legs[0] as string, 'collected');
    expect(await statesOf(id)).toEqual(['placed accepted', 'fulfilled collected']);
    await setStatus(staff(), store, id, 'fulfilled');
    expect(await statesOf(id)).toEqual(['fulfilled collected', 'fulfilled collected']);
  });

  test('an order that consists of its legs alone ends as they do', async () => {
    const given = await mixed(2, false);
    await toReady(...given.legs);
    await staff().advance(given.legs[0] as string, 'cancelled');
    await staff().advance(given.legs[1] as string, 'collected');
    expect((await statesOf(given.id))[0]).toBe('fulfilled collected');
    const lost = await mixed(2, false);
    for (const leg of lost.legs) await staff().advance(leg, 'cancelled');
    expect((await statesOf(lost.id))[0]).toBe('cancelled cancelled');
    expect((await publishedTypes(lost.id)).slice(1)).toEqual(['order.status_changed', 'order.cancelled']);
  });

  test('legs that several staff end at once end the order exactly once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { id, legs } = await mixed(5, round % 2 === 0);
      if (round % 2 === 0) await setStatus(staff(), store, id, 'fulfilled');
      await toReady(...legs);
      const before = (await ends(id)).length;
      const responses = await Promise.all(legs.map((leg, n) => staff().advance(leg, n % 2 ? 'cancelled' : 'collected')));
      expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
      expect((await statesOf(id))[0]).toBe('fulfilled collected');
      expect((await ends(id)).length).toBe(before + 1);
      expect((await publishedTypes(id)).filter((type) => type === 'order.status_changed')).toHaveLength(1);
    }
  });

  test('cancelling the order while its legs are handed over ends each leg one way and the order once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { id, legs } = await mixed(3);
      await toReady(...legs);
      const [order, ...given] = await Promise.all([
        setStatus(staff(), store, id, 'cancelled'),
        ...legs.map((leg) => staff().advance(leg, 'collected')),
      ]);
      expect(order?.status).toBe(200);
      const [main, ...states] = await statesOf(id);
      expect(main).toBe('cancelled cancelled');
      expect(states).toEqual(given.map(({ status }) => (status === 200 ? 'fulfilled collected' : 'cancelled cancelled')));
      for (const { status, body } of given) expect([200, 'INVALID_TRANSITION']).toContain(status === 200 ? 200 : body.error.code);
    }
  });

  test('a leg moves to an earlier slot by itself', async () => {
    const soon = slotIn(running, 30, 1);
    const later = slotIn(running, 60);
    const own = await running.openStore({}, countedMenu, [soon, later]);
    const by = customer(running);
    const group = { role: 'collect', slot_id: later.id, items: [{ menu_item_id: 'cake', quantity: 1 }] };
    const { body: order } = await by.create(own, { items: [], fulfilment_groups: [group, group] });
    const [first] = (await by.payAndConfirm(own, order)).body.children;
    for (const step of ['preparing', 'ready']) await worker(running, own).advance(first.order_id, step);
    const request = { store_id: own.id, order_id: first.order_id, slot_id: soon.id };
    expect((await by.call('POST', '/api/v1/orders/collect-earlier', request)).body.orders_remaining).toBe(0);
    expect([await usedOf(running, soon.id), await usedOf(running, later.id)]).toEqual([1, 1]);
  });

  test('a leg of an unpaid order cannot be cancelled by itself; the order can, and releases its legs’ holds', async () => {
    const group = { role: 'collect', slot_id: slot.id, items: [{ menu_item_id: 'cake', quantity: 1 }] };
    const { body: order } = await customer(running).create(store, { items: [], fulfilment_groups: [group, group] });
    const leg = await running.service.database.oneFirst(
      sql.type(z.object({ id: z.string() }))`select id from orders where parent_order_id = ${order.order_id} order by order_number limit 1`,
    );
    const before = await wholeStore(running, store);
    const refused = await setStatus(staff(), store, leg, 'cancelled');
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'ORDER_NOT_PAID', message: expect.stringContaining('cancel the whole order') },
    ]);
    expect(await wholeStore(running, store)).toEqual(before);
    const used = await usedOf(running, slot.id);
    expect((await setStatus(staff(), store, order.order_id, 'cancelled')).status).toBe(200);
    expect(await usedOf(running, slot.id)).toBe(used - 2);
    expect(await publishedTypes(order.order_id)).toEqual(['order.cancelled']);
  });
});
