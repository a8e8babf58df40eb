import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type ApiResponse, customer, pay, worker } from '../testing/callers.ts';
import { expireOverdue, usedOf, usesOf } from '../testing/counts.ts';
import { eventsOf, ledgerOf, ordersOf, takenOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const outcomeOf = ({ status, body }: ApiResponse) => [status, body.error?.code];
const line = (menu_item_id: string, quantity = 1) => ({ menu_item_id, quantity });
const now = (...items: ReturnType<typeof line>[]) => ({ role: 'now', items });
const collect = (items: ReturnType<typeof line>[], when: Record<string, unknown> = {}) => ({ role: 'collect', items, ...when });
/** A flat white now, a croissant to collect, and both again to collect in a slot: 1,280 pence. */
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
/** Reads the rows of an order and its legs. */
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
  expect(body.children.map(({ fulfilment_status }: { fulfilment_status: string }) => fulfilment_status)).toEqual(['accepted', 'accepted']);
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
    expect(outcomeOf(response)).toEqual([400, 'GROUPS_MISMATCH']);
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
    expect(outcomeOf(await customer(running).create((await open()).store, { ...basket(), ...request }))).toEqual([200, undefined]);
  });
});

describe('a mixed order takes all its holds or none', () => {
  test('two legs in a slot with one place, and items that only the sum of the parts exceeds, are refused', async () => {
    const { store, slotId, promoId } = await open();
    const cake = line('last-cake');
    const full = { items: [], promo_code: 'spring', fulfilment_groups: Array(3).fill(collect([line('croissant')], { slot_id: slotId })) };
    expect(outcomeOf(await customer(running).create(store, full))).toEqual([409, 'SLOT_JUST_FILLED']);
    const sold = { items: [], promo_code: 'spring', fulfilment_groups: [now(cake), collect([cake], { slot_id: slotId })] };
    expect(outcomeOf(await customer(running).create(store, sold))).toEqual([409, 'OUT_OF_STOCK']);
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
