// covers: readSwitches, switchMenuItem, pauseStore, listStoreLog

import { randomUUID } from 'node:crypto';
import { directoryMenu, directorySlots, directoryStore } from '@corner/contracts';
import { openEventStream } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { eventsOf } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { switches } from '../testing/switching.ts';
import { slotIn } from '../testing/whole-store.ts';
import { writeStore } from './tables/projections.ts';
import { saveMenu, saveSlots } from './transactions.ts';

let running: Running;
let store: OpenStore;
let staff: ReturnType<typeof switches>;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  store = await running.openStore({ time_zone: 'UTC' }, [...menu, { id: 'cake', name: 'Cake', price_pence: 400, stock: 20 }]);
  staff = switches(running, store);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const ada = { id: expect.any(String), name: 'Ada' };
const order = async (id: string, quantity = 1, more = {}) =>
  await customer(running).create(store, { items: [{ menu_item_id: id, quantity }], ...more });
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof order>>) => [status, body.error?.code, body.error?.message];
const soldOut = (name: string) => [409, 'OUT_OF_STOCK', `${name} is sold out.`];
const shown = async (id: string) => {
  const { body } = await customer(running).call('GET', `/api/v1/orders/stores/${store.id}/menu`);
  return body.items.find((item: { readonly id: string }) => item.id === id).sold_out;
};
const in30 = () => new Date(running.clock.now().getTime() + 30 * 60_000).toISOString().replace('Z', '000Z');
const published = async () => (await eventsOf(running, store.id)).filter(({ type }) => type === 'store.switched').map(({ data }) => data);
const titles = async (query?: string) => (await staff.log(query)).body.entries.map(({ title }: { readonly title: string }) => title);

describe('an item that staff mark as sold out', () => {
  test('is shown so and refused by its name, until staff say otherwise', async () => {
    const { status, body } = await staff.item('croissant', { sold_out: 'until_changed' });
    expect([status, body.item]).toEqual([
      200,
      {
        menu_item_id: 'croissant',
        kind: 'item',
        of: [],
        name: 'Croissant',
        price_pence: 290,
        available: true,
        sold_out: true,
        sold_out_switch: 'until_changed',
        sold_out_until: null,
        left: null,
        left_by_staff: false,
        by: ada,
        at: expect.any(String),
      },
    ]);
    expect(await staff.state('croissant')).toEqual(body.item);
    expect([await shown('croissant'), await shown('flat-white')]).toEqual([true, false]);
    expect(refusalOf(await order('croissant'))).toEqual(soldOut('Croissant'));
    expect((await order('flat-white')).status).toBe(200);
    expect((await staff.item('croissant', { sold_out: 'no' })).body.item).toMatchObject({ sold_out: false, sold_out_switch: 'no' });
    expect([await shown('croissant'), (await order('croissant')).status]).toEqual([false, 200]);
  });

  test('until closing can be ordered again once the store’s day has ended, without anything being done', async () => {
    const hours = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, opens: '09:00', closes: '17:00' }));
    store = await running.openStore({ time_zone: 'Europe/London', hours });
    staff = switches(running, store);
    running.clock.set('2027-05-03T10:00:00Z');
    const { item } = (await staff.item('croissant', { sold_out: 'until_closing' })).body;
    expect(item).toMatchObject({ sold_out_switch: 'until_closing', sold_out_until: '2027-05-03T16:00:00.000000Z' });
    running.clock.set('2027-05-03T15:59:59.999Z');
    expect([refusalOf(await order('croissant')), await shown('croissant')]).toEqual([soldOut('Croissant'), true]);
    running.clock.set('2027-05-03T16:00:00Z');
    expect(await staff.state('croissant')).toMatchObject({ sold_out: false, sold_out_switch: 'no', sold_out_until: null, by: ada });
    expect(await shown('croissant')).toBe(false);
    running.clock.set('2027-05-04T08:00:00Z');
    expect((await order('croissant')).status).toBe(200);
  });

  test('stays so when the directory sends a new menu and a new store', async () => {
    await staff.item('croissant', { sold_out: 'until_changed' });
    await staff.item('cake', { left: 3 });
    await staff.pause({ paused: true });
    await running.service.database.transaction(async (tx) => {
      await saveMenu(
        tx,
        directoryMenu.data.parse({
          version: 2,
          store_id: store.id,
          items: [...menu, { id: 'cake', name: 'Cake', price_pence: 410, stock: 50 }],
        }),
      );
      await writeStore(
        tx,
        directoryStore.data.parse({ id: store.id, version: 2, code: 'S1', name: 'New', connected_account_id: store.account }),
      );
    });
    expect(await staff.state('croissant')).toMatchObject({ sold_out: true, sold_out_switch: 'until_changed' });
    expect(await staff.state('cake')).toMatchObject({ price_pence: 410, left: 3, left_by_staff: true });
    expect((await staff.read()).body).toMatchObject({ store: { name: 'New', takes_orders: 'none' }, pause: { until: null, by: ada } });
    await staff.item('cake', { left: null });
    expect(await staff.state('cake')).toMatchObject({ left: 50, left_by_staff: false });
  });

  test('is another store’s item only there', async () => {
    const other = await running.openStore();
    await staff.item('croissant', { sold_out: 'until_changed' });
    expect((await customer(running).create(other, { items: [{ menu_item_id: 'croissant', quantity: 1 }] })).status).toBe(200);
    expect(await switches(running, other).state('croissant')).toMatchObject({ sold_out: false, by: null, at: null });
  });
});

describe('what is left of an item', () => {
  test('counts from when staff set it: ten of ten sold, and ten can be sold again', async () => {
    await staff.item('cake', { left: 10 });
    expect((await order('cake', 10)).status).toBe(200);
    expect(refusalOf(await order('cake'))).toEqual(soldOut('Cake'));
    expect((await staff.item('cake', { left: 10 })).body.item).toMatchObject({ sold_out: false, left: 10, left_by_staff: true });
    expect((await order('cake', 9)).status).toBe(200);
    expect(refusalOf(await order('cake', 2))).toEqual([409, 'OUT_OF_STOCK', 'Only 1 of Cake is left.']);
    expect((await order('cake')).status).toBe(200);
    expect([await staff.state('cake'), await shown('cake')]).toMatchObject([{ left: 0, sold_out: true, sold_out_switch: 'no' }, true]);
  });

  test('rises by the units of an order that is cancelled', async () => {
    await staff.item('croissant', { left: 5 });
    const { body } = await order('croissant', 3);
    expect(await staff.state('croissant')).toMatchObject({ left: 2 });
    await worker(running, store).call('PATCH', `/api/v1/orders/${body.order_id}/status`, { store_id: store.id, status: 'cancelled' });
    expect(await staff.state('croissant')).toMatchObject({ left: 5 });
  });

  test('is the directory’s again when staff take it back: its stock without what was sold, or unlimited', async () => {
    await order('cake', 4);
    for (const [id, before] of [
      ['cake', 16],
      ['croissant', null],
    ] as const) {
      await staff.item(id, { left: 2 });
      await staff.item(id, { left: 7 });
      expect((await staff.item(id, { left: null })).body.item).toMatchObject({ left: before, left_by_staff: false });
    }
  });

  test('of none is sold out, and marks that end do not change it', async () => {
    await staff.item('cake', { sold_out: 'until_changed', left: 0 });
    expect((await staff.item('cake', { sold_out: 'no' })).body.item).toMatchObject({ sold_out: true, sold_out_switch: 'no', left: 0 });
    expect(refusalOf(await order('cake'))).toEqual(soldOut('Cake'));
  });
});

describe('a pause', () => {
  test('refuses every order for its minutes and then ends by itself', async () => {
    const { status, body } = await staff.pause({ paused: true, minutes: 30 });
    expect([status, body.pause]).toEqual([200, { until: in30(), by: ada, at: expect.any(String) }]);
    expect(body.store).toMatchObject({
      id: store.id,
      takes_orders: 'none',
      reason: expect.stringMatching(/^The store takes no orders until/),
    });
    expect(refusalOf(await order('cake'))).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS', body.store.reason]);
    const { stores } = (await customer(running).call('GET', '/api/v1/orders/stores?limit=100')).body;
    expect(stores.find(({ id }: OpenStore) => id === store.id) ?? body.store).toMatchObject({ takes_orders: 'none' });
    running.clock.advance({ minutes: 30 });
    expect([(await staff.read()).body.pause, (await order('cake')).status]).toEqual([null, 200]);
  });

  test('without minutes lasts until staff take orders again', async () => {
    expect((await staff.pause({ paused: true })).body.pause.until).toBeNull();
    running.clock.advance({ hours: 30 });
    expect(refusalOf(await order('cake')).slice(0, 2)).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS']);
    expect((await staff.pause({ paused: false })).body).toMatchObject({ pause: null, store: { takes_orders: 'now', reason: null } });
    expect((await order('cake')).status).toBe(200);
  });

  test('of the directory is not ended by staff, and the later end of the two counts', async () => {
    store = await running.openStore({ paused_until: in30() });
    staff = switches(running, store);
    expect((await staff.pause({ paused: false })).body).toMatchObject({ pause: null, store: { takes_orders: 'none' } });
    const { reason } = (await staff.pause({ paused: true, minutes: 10 })).body.store;
    expect((await staff.pause({ paused: false })).body.store.reason).toBe(reason);
  });
});

describe('who did it', () => {
  test('is in the log, newest first, in sentences', async () => {
    running.clock.set('2027-05-01T10:00:00Z');
    await staff.item('croissant', { sold_out: 'until_closing', left: 4 });
    await staff.item('croissant', { sold_out: 'no', left: null });
    await staff.item('cake', { sold_out: 'until_changed' });
    await staff.pause({ paused: true, minutes: 30 });
    await staff.pause({ paused: false });
    await staff.pause({ paused: true });
    expect(await titles()).toEqual([
      'Orders were paused',
      'The pause of orders was ended',
      'Orders were paused until Saturday 1 May at 10:30',
      'Cake was marked as sold out',
      'Croissant: what is left follows the stock of the directory again',
      'Croissant is no longer marked as sold out',
      'Croissant: 4 left',
      'Croissant was marked as sold out until Sunday 2 May at 00:00',
    ]);
    const { entries } = (await staff.log()).body;
    expect([entries[0], entries[3]]).toMatchObject([
      { by: ada, menu_item_id: null, at: '2027-05-01T10:00:00.000000Z' },
      { by: ada, menu_item_id: 'cake' },
    ]);
    const ids = entries.map(({ id }: { readonly id: string }) => id);
    const [first, second] = [(await staff.log('?limit=5')).body.entries, (await staff.log(`?limit=5&before=${ids[4]}`)).body.entries];
    expect([...first, ...second]).toEqual(entries);
    expect([await titles('?day=2027-05-01'), await titles('?day=2027-05-02')]).toEqual([await titles(), []]);
  });

  test('is not named in the event, which says what was changed', async () => {
    await staff.item('cake', { sold_out: 'until_changed', left: 3 });
    await staff.pause({ paused: true, minutes: 30 });
    const about = { store_id: store.id, by_id: expect.any(String), at: expect.any(String) };
    expect(await published()).toEqual([
      { ...about, menu_item_id: 'cake', off: true, until: null, left: 3 },
      { ...about, menu_item_id: null, off: true, until: in30(), left: null },
    ]);
  });
});

describe('twice is once', () => {
  test('a switch that is set already is not set, logged or published again', async () => {
    for (const _ of [1, 2]) {
      await staff.item('croissant', { sold_out: 'until_closing' });
      await staff.item('cake', { left: 3 });
      await staff.pause({ paused: true });
    }
    await staff.item('flat-white', { sold_out: 'no', left: null });
    expect([(await titles()).length, (await published()).length]).toEqual([3, 3]);
  });

  test('a repeat with the same Idempotency-Key gets the first response, though a unit was sold meanwhile', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await staff.item('cake', { left: 3 }, key);
    await order('cake');
    expect((await staff.item('cake', { left: 3 }, key)).body).toEqual(first.body);
    expect(await staff.state('cake')).toMatchObject({ left: 2 });
  });
});

describe('a follower', () => {
  test('of a menu, without a token, and of the switches gets each change as it comes', async () => {
    const accept = { Accept: 'text/event-stream' };
    const path = `${running.service.url}/api/v1/orders/stores/${store.id}`;
    const ofMenu = await openEventStream(await fetch(`${path}/menu`, { headers: accept }));
    const isSoldOut = async () =>
      JSON.parse((await ofMenu.next()).data).items.find(({ id }: { readonly id: string }) => id === 'cake').sold_out;
    expect(await isSoldOut()).toBe(false);
    await staff.item('cake', { sold_out: 'until_changed' });
    expect(await isSoldOut()).toBe(true);
    const slots = [slotIn(running, 60)];
    await running.service.database.transaction((tx) => saveSlots(tx, directorySlots.data.parse({ version: 2, store_id: store.id, slots })));
    await staff.pause({ paused: true });
    expect(JSON.parse((await ofMenu.next()).data)).toMatchObject({ store: { takes_orders: 'none' }, has_slots: true });
    await ofMenu.close();
  });
});

describe('a switch is refused', () => {
  test('to guests, customers and the staff of another store', async () => {
    const other = await running.openStore();
    const path = `/api/v1/orders/stores/${store.id}`;
    const calls = [
      ['GET', `${path}/switches`],
      ['GET', `${path}/log`],
      ['PATCH', `${path}/menu/cake`, { sold_out: 'no' }],
      ['POST', `${path}/pause`, { paused: true }],
    ] as const;
    for (const [method, to, body] of calls) {
      expect((await fetch(`${running.service.url}${to}`, { method })).status).toBe(401);
      expect(codeOf(await customer(running).call(method, to, body))).toEqual([403, 'WRONG_TOKEN_TYPE']);
      expect(codeOf(await worker(running, other).call(method, to, body))).toEqual([403, 'STORE_FORBIDDEN']);
    }
    expect((await staff.read()).body.pause).toBeNull();
  });

  test('for an item that the store does not have, and for an unknown store', async () => {
    expect(codeOf(await staff.item('unheard-of', { left: 1 }))).toEqual([404, 'MENU_ITEM_NOT_FOUND']);
    const unknown = switches(running, { ...store, id: randomUUID() });
    expect(codeOf(await unknown.item('cake', { left: 1 }))).toEqual([404, 'MENU_ITEM_NOT_FOUND']);
    for (const response of [await unknown.read(), await unknown.log(), await unknown.pause({ paused: true })])
      expect(codeOf(response)).toEqual([404, 'STORE_NOT_FOUND']);
  });

  test('with values that are none, naming the field', async () => {
    const refused = [
      [await staff.item('cake', {}), 'sold_out'],
      [await staff.item('cake', { sold_out: 'tomorrow' }), 'sold_out'],
      [await staff.item('cake', { left: -1 }), 'left'],
      [await staff.item('cake', { left: 1.5 }), 'left'],
      [await staff.pause({}), 'paused'],
      [await staff.pause({ paused: true, minutes: 0 }), 'minutes'],
      [await staff.pause({ paused: true, minutes: 241 }), 'minutes'],
      [await staff.log('?day=2027-02-30'), 'day'],
      [await staff.log('?before=x'), 'before'],
    ] as const;
    for (const [response, field] of refused) {
      expect(codeOf(response)).toEqual([400, 'VALIDATION_FAILED']);
      expect(response.body.error.message).toContain(field);
    }
    const other = await running.openStore();
    await switches(running, other).pause({ paused: true });
    const foreign = (await switches(running, other).log()).body.entries[0].id;
    expect(codeOf(await staff.log(`?before=${foreign}`))).toEqual([400, 'INVALID_CURSOR']);
  });
});
