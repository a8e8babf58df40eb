import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiResponse, customer, worker } from '../testing/callers.ts';
import { menu, type Running, startRunning } from '../testing/running.ts';
import { slotIn } from '../testing/whole-store.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const refusal = ({ status, body }: ApiResponse) => [status, body.error.code, body.error.message];
const at = (minutes: number) => new Date(running.clock.now().getTime() + minutes * 60_000).toISOString();
/** The day and time in London, as a sentence has it. */
const written = (instant: string) =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'Europe/London', weekday: 'long', day: 'numeric', month: 'long' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format(new Date(instant));
const collect = (slot: { id: string }) => ({ collection_mode: 'scheduled', slot_id: slot.id });

test('a paused store takes no order of any kind until then, and says until when', async () => {
  const slot = slotIn(running, 120);
  const paused_until = at(30);
  const store = await running.openStore({ paused_until }, menu, [slot]);
  const message = `The store takes no orders until ${written(paused_until)}.`;
  for (const request of [{}, { order_type: 'collect' }, collect(slot)])
    expect(refusal(await customer(running).create(store, request))).toEqual([409, 'STORE_NOT_ACCEPTING_ORDERS', message]);
  running.clock.advance({ minutes: 30 });
  expect((await customer(running).create(store)).status).toBe(200);
});

test('a closed store makes nothing at once, but takes orders for slots after it has opened again', async () => {
  const [during, overlapping, after] = [slotIn(running, 15), slotIn(running, 50), slotIn(running, 60)];
  const closure = { starts_at: at(-60), ends_at: at(60) };
  const store = await running.openStore({ closures: [closure] }, menu, [during, overlapping, after]);
  const until = written(closure.ends_at);
  for (const request of [{}, { order_type: 'collect' }])
    expect(refusal(await customer(running).create(store, request))).toEqual([409, 'STORE_CLOSED', `The store is closed until ${until}.`]);
  for (const request of [collect(during), collect(overlapping), { requested_collection_at: during.starts_at }]) {
    const message = `The store is closed then, until ${until}.`;
    expect(refusal(await customer(running).create(store, request))).toEqual([409, 'SLOT_CLOSED', message]);
  }
  expect((await customer(running).create(store, collect(after))).status).toBe(200);
  running.clock.advance({ minutes: 60 });
  expect((await customer(running).create(store)).status).toBe(200);
});

test('an order is not moved to an earlier slot within a closure', async () => {
  const [closed, open, booked] = [slotIn(running, 30), slotIn(running, 60), slotIn(running, 180)];
  const closures = [{ starts_at: at(30), ends_at: at(45) }];
  const store = await running.openStore({ closures }, menu, [closed, open, booked]);
  const ana = customer(running);
  const { order_id } = await ana.paid(store, collect(booked));
  for (const status of ['preparing', 'ready']) await worker(running, store).advance(order_id, status);
  const move = (slot: { id: string }) =>
    ana.call('POST', '/api/v1/orders/collect-earlier', { store_id: store.id, order_id, slot_id: slot.id });
  expect(refusal(await move(closed)).slice(0, 2)).toEqual([409, 'SLOT_CLOSED']);
  expect((await move(open)).status).toBe(200);
});
