import { pollsOf, tablesWithoutNotes } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { customer, worker } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { switches } from '../testing/switching.ts';
import { slotIn } from '../testing/whole-store.ts';

let running: Running;
let store: OpenStore;
let ofNow: ReturnType<typeof slotIn>;

beforeAll(async () => {
  running = await startRunning();
  ofNow = slotIn(running, -14);
  store = await running.openStore({}, undefined, [ofNow, { ...slotIn(running, 60), capacity: 1 }]);
});
afterAll(async () => await running[Symbol.asyncDispose]());

async function openPolls(who: ReturnType<typeof customer>, orderId: string) {
  const token = await running.issuer.token({ typ: 'customer', sub: who.sub });
  const staff = await running.issuer.token({ typ: 'staff', stores: [{ id: store.id, role: 'staff' }] });
  const shop = `/api/v1/orders/stores/${store.id}`;
  return pollsOf(running.service.url, [
    { path: '/api/v1/orders/stores', token: null },
    { path: `${shop}/menu`, token: null },
    { path: `${shop}/slots`, token: null },
    { path: `${shop}/switches`, token: staff },
    { path: '/api/v1/orders/mine', token },
    { path: `/api/v1/orders/${orderId}/mine`, token },
  ]);
}

test('a poll gets 304 exactly while its reply is the same, through the life of an order and the day of a store', async () => {
  const [ana, bo, ada] = [customer(running), customer(running), worker(running, store)];
  const { order_id } = await ana.paid(store, { order_type: 'collect' });
  const polls = await openPolls(ana, order_id);
  const tables = `/api/v1/orders/${order_id}`;
  const silently = (statement: ReturnType<typeof sql.unsafe>) => running.service.database.query(statement);
  const pass = async (seconds: number) => running.clock.set(new Date(running.clock.now().getTime() + seconds * 1_000).toISOString());
  const closeAllBut = (id: string) => sql.type(z.object({}))`update slot set open = false where store_id = ${store.id} and id <> ${id}`;
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['nothing', async () => {}],
    ['an order that is not paid', () => ana.create(store)],
    ['the last cake is sold', () => bo.paid(store, { items: [{ menu_item_id: 'last-cake', quantity: 1 }] })],
    ['another customer’s order', () => bo.paid(store)],
    ['it is prepared', () => ada.advance(order_id, 'preparing')],
    ['it is late', () => ada.call('POST', `${tables}/delay`, { store_id: store.id, delayMinutes: 10 })],
    ['it is ready', () => ada.advance(order_id, 'ready')],
    ['a part is refunded', () => ada.refund(order_id, { amount_pence: 100 })],
    ['an item is sold out', () => switches(running, store).item('croissant', { sold_out: 'until_closing' })],
    ['the store is paused', () => switches(running, store).pause({ paused: true, minutes: 30 })],
    ['the store takes orders again', () => switches(running, store).pause({ paused: false })],
    ['the directory has another name', () => silently(sql.type(z.object({}))`update store set name = 'Another' where id = ${store.id}`)],
    ['a slot is full', () => silently(sql.type(z.object({}))`update slot set used = 1 where store_id = ${store.id}`)],
    ['a line is refunded', () => silently(sql.type(z.object({}))`update order_line set refunded = 1 where order_id = ${order_id}`)],
    ['all slots but that of now are closed', () => silently(closeAllBut(ofNow.id))],
    ['half a minute', () => pass(30)],
    ['the last slot is over', () => pass(60)],
  ];
  await polls.faults();
  for (const [step, change] of steps) {
    await change();
    expect([step, await polls.faults()]).toEqual([step, []]);
  }
  await polls.statuses();
  const before = running.statements.length;
  expect(await polls.statuses()).toEqual([304, 304, 304, 304, 304, 304]);
  expect(running.statements.length).toBe(before);
});

test('every table that the polled reads are made of notes its changes', async () => {
  const ana = customer(running);
  const { order_id } = await ana.paid(store);
  const polls = await openPolls(ana, order_id);
  const before = running.statements.length;
  await polls.faults();
  expect(await tablesWithoutNotes(running.environment.DATABASE_URL ?? '', running.statements.slice(before))).toEqual([]);
});
