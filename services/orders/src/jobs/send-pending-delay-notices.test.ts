import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lateOrder } from '../testing/late-order.ts';
import { runConcurrently } from '../testing/run-concurrently.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { sendPendingDelayNotices } from './send-pending-delay-notices.ts';

let running: Running;
let store: OpenStore;

beforeAll(async () => {
  running = await startRunning();
  store = await running.openStore();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const tellOwed = () => sendPendingDelayNotices(running.service.context);

/** An order whose customer was told of a delay just now, and is owed word of two more. */
async function owed() {
  const order = await lateOrder(running, store);
  const first = await order.late({ delayMinutes: 5 });
  await order.late({ delayMinutes: 10 });
  const last = await order.late({ delayMinutes: 20, note: 'Sorry.' });
  return { ...order, first: first.body.newEta as string, last: last.body.newEta as string };
}

test('what is owed is told when the minute is over, once also by two at once, with the newest time and note', async () => {
  const { id, told, first, last } = await owed();
  running.clock.advance({ seconds: 59 });
  await tellOwed();
  expect(await told()).toHaveLength(1);
  running.clock.advance({ seconds: 1 });
  // As if each ran on its own: not within the transaction that holds them up.
  const run = AsyncResource.bind(tellOwed);
  await runConcurrently(running, id, run, run);
  expect((await told()).map(({ new_eta, note }) => [Date.parse(new_eta), note])).toEqual([
    [Date.parse(first), null],
    [Date.parse(last), 'Sorry.'],
  ]);
});

test('after it was told nothing is owed, and the next minute begins', async () => {
  const { late, told, last } = await owed();
  running.clock.advance({ minutes: 1 });
  await tellOwed();
  expect((await late({ delayMinutes: 20, note: 'Sorry.' })).body).toMatchObject({ newEta: last, channel_detail: 'deduplicated' });
  running.clock.advance({ minutes: 1 });
  await tellOwed();
  expect(await told()).toHaveLength(2);
  await late({ delayMinutes: 5 });
  expect(await told()).toHaveLength(3);
});

test('a double tap before it was told adds nothing, also when its minute is over', async () => {
  const { late, told, last } = await owed();
  running.clock.advance({ seconds: 61 });
  const { body } = await late({ delayMinutes: 20, note: 'Sorry.' });
  expect(body).toEqual({ ok: true, newEta: last, notified: 'none', channel_detail: 'deduplicated' });
  await tellOwed();
  expect(await told()).toHaveLength(2);
});

test('another notice after the minute is told at once, in place of what was owed', async () => {
  const { late, told } = await owed();
  running.clock.advance({ seconds: 61 });
  const { body } = await late({ delayMinutes: 3 });
  await tellOwed();
  running.clock.advance({ minutes: 1 });
  await tellOwed();
  expect((await told()).slice(1)).toEqual([expect.objectContaining({ new_eta: body.newEta, note: null })]);
});

test.each([
  ['cancelled', ['cancelled']],
  ['collected', ['preparing', 'ready', 'collected']],
])('of an order that is %s meanwhile nothing is told', async (_, steps) => {
  const { id, staff, told } = await owed();
  for (const step of steps) expect((await staff.advance(id, step)).status).toBe(200);
  running.clock.advance({ minutes: 1 });
  await tellOwed();
  expect(await told()).toHaveLength(1);
});
