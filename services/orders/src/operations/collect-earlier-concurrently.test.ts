import type { Transaction } from '@corner/chassis';
import { directorySlots } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { earlier, type Slot, waitingFor } from '../testing/collecting.ts';
import { usedOf } from '../testing/counts.ts';
import { eventsOf } from '../testing/rows.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { countedMenu, miscounted, slotIn } from '../testing/whole-store.ts';
import { saveSlots } from '../transactions/save-slots.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterEach(async () => {
  expect(await miscounted(running)).toEqual([]);
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const codeOf = ({ status, body }: ApiResponse) => [status, body.error?.code];
const opened = (...slots: Slot[]) => running.openStore({}, countedMenu, slots);
const waiting = (store: OpenStore, slot: Slot) => waitingFor(running, store, slot);

const placeOf = async (orderId: string) =>
  await running.service.database.one(sql.type(z.object({ slot_id: z.string(), at: z.number(), version: z.number() }))`
    select slot_id, (extract(epoch from requested_collection_at) * 1000)::float8 as at, version from orders where id = ${orderId}`);
const publishedSlots = async (orderId: string) => (await eventsOf(running, orderId)).filter(({ type }) => type === 'order.slot_moved');

test('of thirty customers who move to one free place one succeeds, and the others keep their slots', async () => {
  const [soon, later] = [slotIn(running, 30, 1), slotIn(running, 60, 30)];
  const store = await opened(soon, later);
  const crowd = await Promise.all(Array.from({ length: 30 }, () => waiting(store, later)));
  const before = await Promise.all(crowd.map(({ id }) => placeOf(id)));
  const responses = await Promise.all(crowd.map(({ by, id }) => earlier(by, store, id, soon.id)));
  const won = responses.findIndex(({ status }) => status === 200);
  expect(responses[won]?.body.orders_remaining).toBe(0);
  for (const [n, { id }] of crowd.entries()) {
    if (n === won) continue;
    expect(codeOf(responses[n] as ApiResponse)).toEqual([409, 'SLOT_JUST_FILLED']);
    expect(await placeOf(id)).toEqual(before[n]);
    expect(await publishedSlots(id)).toEqual([]);
  }
  expect([await usedOf(running, soon.id), await usedOf(running, later.id)]).toEqual([1, 29]);
});

test('many concurrent moves between the same slots, with cancellations, all end without deadlock', async () => {
  const [soon, later, last] = [slotIn(running, 15, 4), slotIn(running, 30, 4), slotIn(running, 60, 20)];
  const store = await opened(soon, later, last);
  const crowd = await Promise.all(
    [soon, soon, later, later, ...Array.from({ length: 12 }, () => last)].map((slot) => waiting(store, slot)),
  );
  const responses = await Promise.all(
    crowd.flatMap(({ by, id }, n) => [
      earlier(by, store, id, soon.id),
      earlier(by, store, id, later.id),
      ...(n % 3 === 0 ? [worker(running, store).advance(id, 'cancelled')] : []),
      ...(n % 4 === 0 ? [customer(running).create(store, { slot_id: n % 8 ? soon.id : later.id })] : []),
    ]),
  );
  const known = ['SLOT_JUST_FILLED', 'NOT_EARLIER', 'ORDER_NOT_READY', undefined];
  for (const response of responses) expect(known).toContain(response.body.error?.code);
  for (const slot of [soon, later]) expect(await usedOf(running, slot.id)).toBeLessThanOrEqual(4);
});

test.each([false, true])(
  'moves to the earlier slot beside orders that take both, and a directory that says anew (ids reversed: %s)',
  async (reversed) => {
    const [soon, later] = [slotIn(running, 30, 40), slotIn(running, 60, 60)];
    if (reversed === soon.id < later.id) [soon.id, later.id] = [later.id, soon.id];
    const store = await opened(soon, later);
    const crowd = await Promise.all(Array.from({ length: 16 }, () => waiting(store, later)));
    const both = [soon, later].map(({ id }) => ({ role: 'collect', slot_id: id, items: [{ menu_item_id: 'croissant', quantity: 2 }] }));
    const { database } = running.service;
    const responses = await Promise.all(
      crowd.flatMap(({ by, id }, n) => [
        earlier(by, store, id, soon.id),
        customer(running).create(store, { items: [], fulfilment_groups: both }),
        ...(n % 4 === 0
          ? [
              database.transaction((tx) =>
                saveSlots(tx, directorySlots.data.parse({ version: n + 2, store_id: store.id, slots: [soon, later] })),
              ),
            ]
          : []),
      ]),
    );
    for (const response of responses) if (response) expect(codeOf(response)).toEqual([200, undefined]);
    expect([await usedOf(running, soon.id), await usedOf(running, later.id)]).toEqual([32, 16]);
  },
);

test.each([false, true])('slots are locked in order of id, as placing an order locks them (ids reversed: %s)', async (reversed) => {
  const [soon, later] = [slotIn(running, 30), slotIn(running, 60)];
  if (reversed === soon.id < later.id) [soon.id, later.id] = [later.id, soon.id];
  const store = await opened(soon, later);
  const ada = await waiting(store, later);
  const [first, second] = [soon.id, later.id].sort() as [string, string];
  const { database } = running.service;
  const lock = (tx: Transaction, id: string) =>
    tx.maybeOne(sql.type(z.object({ id: z.string() }))`
    select id from slot where id = ${id} for update skip locked`);
  const moved = await database.transaction(async (tx) => {
    await lock(tx, first);
    const moving = earlier(ada.by, store, ada.id, soon.id);
    const blocked = () =>
      tx.exists(sql.type(z.object({}))`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`);
    await until(blocked, { describe: 'a move that waits for the first slot' });
    // While the first slot is locked, the waiting request has not locked the second.
    expect(await lock(tx, second)).not.toBeNull();
    return { moving };
  });
  expect((await moved.moving).status).toBe(200);
});
