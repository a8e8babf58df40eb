// covers: readPace, setPace, createOrder, sellAtCounter

import { randomUUID } from 'node:crypto';
import { directoryStore } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiResponse, codeOf, customer, worker } from '../testing/callers.ts';
import { expireOverdue } from '../testing/rows.ts';
import { menu, type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { tillOf } from '../testing/till.ts';
import { holdsOf, miscounted, wholeStore } from '../testing/whole-store.ts';
import { writeStore } from './tables/projections.ts';

let running: Running;
/** The quarter of an hour that it is, two minutes ago. */
let quarter: number;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(() => {
  quarter = Math.ceil(running.clock.now().getTime() / 900_000) * 900_000;
  running.clock.set(new Date(quarter + 120_000).toISOString());
});
afterAll(async () => {
  expect(await miscounted(running)).toEqual([]);
  await running[Symbol.asyncDispose]();
});

const at = (minutes: number) => new Date(quarter + minutes * 60_000).toISOString();
const items = (quantity: number) => ({ items: [{ menu_item_id: 'sweet', quantity }], tip_pence: 100 });
const now = { order_type: 'collect', collection_mode: 'now' };
const readyOf = ({ body }: ApiResponse): string | null =>
  body.requested_collection_at && new Date(body.requested_collection_at).toISOString();

const paced = (max_items: number, store: Parameters<Running['openStore']>[0] = {}, slots: Parameters<Running['openStore']>[2] = []) =>
  running.openStore({ pace: { max_items }, ...store }, menu, slots);

function kitchen(store: OpenStore, by = worker(running, store)) {
  const path = `/api/v1/orders/stores/${store.id}/pace`;
  return {
    read: () => by.call('GET', path),
    set: (starts_at: string, capacity: number | null) => by.call('PATCH', path, { starts_at, capacity }),
    taken: async (count = 2) => {
      const { quarters } = (await by.call('GET', path)).body;
      return quarters.slice(0, count).map(({ taken }: { taken: number }) => taken);
    },
  };
}

const readyFrom = async ({ id }: OpenStore) =>
  ((await (await fetch(`${running.service.url}/api/v1/orders/stores/${id}/menu`)).json()) as ApiResponse['body']).pace;

describe('orders at once', () => {
  const rush = (store: OpenStore, request: Record<string, unknown>) =>
    Promise.all(Array.from({ length: 40 }, () => untilReached(customer(running), store, { ...items(1), ...now, ...request })));
  /** On a busy machine a request may find no free connection in time. */
  const untilReached = async (ana: ReturnType<typeof customer>, store: OpenStore, request: Record<string, unknown>) => {
    const keyed = { ...request, idempotency_key: randomUUID() };
    for (;;) {
      const reply = await ana.create(store, keyed);
      if (reply.status !== 503) return reply;
    }
  };
  const count = (replies: readonly ApiResponse[], of: (reply: ApiResponse) => unknown) =>
    Object.fromEntries([...Map.groupBy(replies, (reply) => String(of(reply)))].map(([key, group]) => [key, group.length]));

  test('of forty for ten places in this quarter ten get them, and the others read when they would be ready', async () => {
    const store = await paced(10);
    const replies = await rush(store, { expected_ready_from: at(0) });
    expect(count(replies, ({ status }) => status)).toEqual({ 200: 10, 409: 30 });
    const refused = replies.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ body }) => `${body.error.code} ${body.error.ready_from}`))).toEqual(
      new Set([`READY_LATER ${at(15).replace('.000', '')}`]),
    );
    expect(await kitchen(store).taken()).toEqual([10, 0]);
  });

  test('forty for ten places in each quarter fill four, and the menu names the next with room', async () => {
    const store = await paced(10);
    expect(await readyFrom(store)).toEqual({ ready_from: at(0) });
    const replies = await rush(store, {});
    expect(count(replies, readyOf)).toEqual({ null: 10, [at(15)]: 10, [at(30)]: 10, [at(45)]: 10 });
    expect(await kitchen(store).taken(5)).toEqual([10, 10, 10, 10, 0]);
    expect(await readyFrom(store)).toEqual({ ready_from: at(60) });
  });

  test('forty for the last ten places of the day get ten, and the menu says that it is full', async () => {
    const day = (hours: number) => new Date(quarter + hours * 3_600_000);
    const time = (minutes: number) => at(minutes).slice(11, 16);
    const open = { day: ((day(0).getUTCDay() + 6) % 7) + 1, opens: time(-30), closes: time(15) };
    const store = await paced(10, { hours: [open], time_zone: 'UTC' });
    const replies = await rush(store, {});
    expect(count(replies, (reply) => codeOf(reply)[1])).toEqual({ undefined: 10, NO_CAPACITY_TODAY: 30 });
    expect(await readyFrom(store)).toEqual({ ready_from: null });
    const before = await wholeStore(running, store);
    await customer(running).create(store, { ...items(1), ...now });
    expect(await wholeStore(running, store)).toEqual(before);
  });
});

describe('one order', () => {
  test('takes from several quarters what one has not, is ready in the last, and never before it can be made', async () => {
    const store = await paced(4);
    const large = await customer(running).create(store, { ...items(6), ...now });
    expect([readyOf(large), await kitchen(store).taken(3)]).toEqual([at(15), [4, 2, 0]]);
    const slow = [...menu, { id: 'pie', name: 'A pie', price_pence: 900, prep_minutes: 40 }];
    const other = await running.openStore({ pace: { max_items: 1 } }, slow);
    await customer(running).create(other, now);
    const pie = await customer(running).create(other, { ...now, items: [{ menu_item_id: 'pie', quantity: 1 }] });
    expect(readyOf(pie)).toBe(at(42));
  });

  test('is ready in its quarter also once it is paid, and its reads say so', async () => {
    const store = await paced(1);
    const [first, second] = [customer(running), customer(running)];
    await first.paid(store, { ...items(1), ...now });
    const { order_id } = await second.paid(store, { ...items(1), ...now });
    const { order } = (await second.call('GET', `/api/v1/orders/${order_id}/mine`)).body;
    expect(readyOf({ ...(await kitchen(store).read()), body: order })).toBe(at(15));
    expect(await holdsOf(running, order_id)).toEqual({ pace: 'committed' });
  });

  test('counts the minutes of items and of choices where the pace is in minutes', async () => {
    const milk = { id: 'milk', name: 'Milk', min: 0, max: 1, choices: [{ id: 'oat', name: 'Oat milk', make_minutes: 2 }] };
    const latte = { id: 'latte', name: 'Latte', price_pence: 400, make_minutes: 3, options: [milk] };
    const store = await running.openStore({ pace: { make_minutes: 20 } }, [...menu, latte]);
    await customer(running).create(store, {
      ...now,
      items: [
        { menu_item_id: 'latte', quantity: 2, choices: ['oat'] },
        { menu_item_id: 'sweet', quantity: 1 },
      ],
    });
    expect(await kitchen(store).taken()).toEqual([11, 0]);
    expect((await kitchen(store).read()).body.unit).toBe('minutes');
  });

  test('in a slot takes from the quarters that the slot covers, and is refused when they are full', async () => {
    const slot = { id: randomUUID(), starts_at: at(30), ends_at: at(60), capacity: null, open: true };
    const store = await paced(1, {}, [slot]);
    const inSlot = { ...items(1), order_type: 'collect', collection_mode: 'scheduled', slot_id: slot.id };
    const replies = [];
    for (let n = 0; n < 3; n += 1) replies.push(await customer(running).create(store, inSlot));
    expect(replies.map((reply) => readyOf(reply) ?? codeOf(reply)[1])).toEqual([at(30), at(45), 'SLOT_JUST_FILLED']);
    expect(await kitchen(store).taken(5)).toEqual([0, 0, 1, 1, 0]);
  });

  test('of several parts takes for each, and holds nothing when one has no room', async () => {
    const slot = { id: randomUUID(), starts_at: at(0), ends_at: at(15), capacity: null, open: true };
    const store = await paced(3, {}, [slot]);
    const collect = (quantity: number) => ({ role: 'collect', collection_mode: 'scheduled', slot_id: slot.id, ...items(quantity) });
    const mixed = (quantity: number) => ({ items: [], fulfilment_groups: [{ role: 'now', ...items(1) }, collect(quantity)] });
    const ana = customer(running);
    expect(codeOf(await ana.create(store, { ...mixed(3), tip_pence: 100 }))).toEqual([409, 'SLOT_JUST_FILLED']);
    expect((await ana.create(store, { ...mixed(2), tip_pence: 100 })).status).toBe(200);
    expect(await kitchen(store).taken()).toEqual([3, 0]);
  });

  test('at a store without a pace takes nothing, and the store has no quarters', async () => {
    const store = await running.openStore();
    const { order_id } = await customer(running).paid(store, now);
    expect(await holdsOf(running, order_id)).toEqual({});
    expect((await kitchen(store).read()).body).toEqual({ unit: null, quarters: [] });
    expect(await readyFrom(store)).toBe(null);
  });
});

describe('room comes back once', () => {
  const order = { ...items(1), ...now };

  test('when an order is cancelled before it is made, not after, and when one expires', async () => {
    const store = await paced(5);
    const staff = worker(running, store);
    const unpaid = (await customer(running).create(store, order)).body.order_id;
    const ana = customer(running);
    const { order_id: cancelled } = await ana.paid(store, order);
    const { order_id: made } = await ana.paid(store, order);
    expect(await kitchen(store).taken(1)).toEqual([3]);
    for (let n = 0; n < 2; n += 1) await ana.call('POST', `/api/v1/orders/${cancelled}/cancel`, { store_id: store.id });
    for (const to of ['preparing', 'ready', 'cancelled']) await staff.advance(made, to);
    expect(await kitchen(store).taken(1)).toEqual([2]);
    for (let n = 0; n < 2; n += 1) await expireOverdue(running);
    expect(await Promise.all([unpaid, cancelled, made].map((id) => holdsOf(running, id)))).toEqual([
      { pace: 'released' },
      { pace: 'released' },
      { pace: 'committed' },
    ]);
  });

  test('when an order that is not begun is refunded, until the refund fails', async () => {
    const store = await paced(5);
    const staff = worker(running, store);
    const [whole, begun] = [await customer(running).paid(store, order), await customer(running).paid(store, order)];
    await staff.advance(begun.order_id, 'preparing');
    const [refund] = await Promise.all([whole, begun].map(({ order_id }) => staff.refund(order_id)));
    expect(await kitchen(store).taken(1)).toEqual([1]);
    running.connectWebhook();
    running.payments.controls.failRefund(refund?.body.refund.id);
    await running.payments.controls.settled();
    await until(async () => (await kitchen(store).taken(1))[0] === 2, { describe: 'the room to be taken again' });
  });
});

describe('staff', () => {
  test('see a counter sale beyond the pace, which is never refused; a partner is', async () => {
    const store = await paced(2);
    const till = tillOf(running, store);
    for (let n = 0; n < 2; n += 1) expect((await till.sell()).status).toBe(200);
    const [first, second] = (await kitchen(store).read()).body.quarters;
    expect([first, second]).toEqual([
      { starts_at: at(0), taken: 4, capacity: 2, by_staff: false },
      { starts_at: at(15), taken: 0, capacity: 2, by_staff: false },
    ]);
    await kitchen(store).set(at(15), 0);
    const partner = tillOf(running, store, { scopes: 'orders:create' });
    const sale = { ...items(1), tip_pence: 0 };
    expect(codeOf(await partner.sell({ ...sale, expected_ready_from: at(15) }))).toEqual([409, 'READY_LATER']);
    const closing = { id: store.id, version: 2, code: 'S1', name: 'Corner Coffee', pace: { max_items: 2 } };
    const closures = [{ starts_at: at(30), ends_at: at(2_880) }];
    await running.service.database.transaction((tx) => writeStore(tx, directoryStore.data.parse({ ...closing, closures })));
    expect(codeOf(await partner.sell(sale))).toEqual([409, 'NO_CAPACITY_TODAY']);
  });

  test('narrow and widen a quarter with their name in the log; a repeat changes nothing, and the store’s pace comes back', async () => {
    const store = await paced(2);
    const ada = kitchen(store);
    for (let n = 0; n < 2; n += 1) expect((await ada.set(at(0), 0)).body.quarter).toMatchObject({ capacity: 0, by_staff: true });
    expect(readyOf(await customer(running).create(store, { ...items(2), ...now }))).toBe(at(15));
    await ada.set(at(15), 1);
    expect((await ada.read()).body.quarters[1]).toEqual({ starts_at: at(15), taken: 2, capacity: 1, by_staff: true });
    await ada.set(at(15), 3);
    expect(readyOf(await customer(running).create(store, { ...items(1), ...now }))).toBe(at(15));
    expect((await ada.set(at(0), null)).body.quarter).toEqual({ starts_at: at(0), taken: 0, capacity: 2, by_staff: false });
    const { entries } = (await worker(running, store).call('GET', `/api/v1/orders/stores/${store.id}/log`)).body;
    expect(entries.map(({ title, by }: { title: string; by: { name: string } }) => [by.name, title.split(' from ')[0]])).toEqual([
      ['Ada', 'The quarter of an hour'],
      ['Ada', 'The kitchen makes 3 in the quarter of an hour'],
      ['Ada', 'The kitchen makes 1 in the quarter of an hour'],
      ['Ada', 'The kitchen makes 0 in the quarter of an hour'],
    ]);
  });

  test('a new pace counts in quarters that orders have taken from, except where staff set another', async () => {
    const store = await paced(1);
    await customer(running).create(store, { ...items(2), ...now });
    await kitchen(store).set(at(15), 1);
    const wider = { id: store.id, version: 2, code: 'S1', name: 'Corner Coffee', connected_account_id: store.account };
    await running.service.database.transaction((tx) => writeStore(tx, directoryStore.data.parse({ ...wider, pace: { max_items: 3 } })));
    const capacities = (await kitchen(store).read()).body.quarters.map(({ capacity }: { capacity: number }) => capacity);
    expect(capacities.slice(0, 3)).toEqual([3, 1, 3]);
    expect(readyOf(await customer(running).create(store, { ...items(2), ...now }))).toBe(null);
  });

  test('change only quarters that there are, of stores that there are', async () => {
    const store = await paced(2);
    for (const starts_at of [at(7), at(-15), at(120)])
      expect(codeOf(await kitchen(store).set(starts_at, 1))).toEqual([400, 'VALIDATION_FAILED']);
    const plain = await running.openStore();
    expect(codeOf(await kitchen(plain).set(at(0), 1))).toEqual([400, 'VALIDATION_FAILED']);
    const unknown = { ...store, id: randomUUID() };
    expect(codeOf(await kitchen(unknown).read())).toEqual([404, 'STORE_NOT_FOUND']);
    expect(codeOf(await kitchen(unknown).set(at(0), 1))).toEqual([404, 'STORE_NOT_FOUND']);
  });
});
