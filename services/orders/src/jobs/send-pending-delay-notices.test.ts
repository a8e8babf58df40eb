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

const sendPending = () => sendPendingDelayNotices(running.service.context);

/** An order with a delay notice just sent and two later ones pending. */
async function owed() {
  const order = await lateOrder(running, store);
  const first = await order.notify({ delayMinutes: 5 });
  await order.notify({ delayMinutes: 10 });
  const last = await order.notify({ delayMinutes: 20, note: 'Sorry.' });
  return { ...order, first: first.body.newEta as string, last: last.body.newEta as string };
}

test('a pending notice is sent when the minute is over, once even by two concurrent jobs, with the newest time and note', async () => {
  const { id, published, first, last } = await owed();
  running.clock.advance({ seconds: 59 });
  await sendPending();
  expect(await published()).toHaveLength(1);
  running.clock.advance({ seconds: 1 });
  // Detached from the transaction that holds the lock, as if each ran on its own.
  const run = AsyncResource.bind(sendPending);
  await runConcurrently(running, id, run, run);
  expect((await published()).map(({ new_eta, note }) => [Date.parse(new_eta), note])).toEqual([
    [Date.parse(first), null],
    [Date.parse(last), 'Sorry.'],
  ]);
});

test('after a pending notice was sent nothing is pending, and a new minute begins', async () => {
  const { notify, published, last } = await owed();
  running.clock.advance({ minutes: 1 });
  await sendPending();
  expect((await notify({ delayMinutes: 20, note: 'Sorry.' })).body).toMatchObject({ newEta: last, channel_detail: 'deduplicated' });
  running.clock.advance({ minutes: 1 });
  await sendPending();
  expect(await published()).toHaveLength(2);
  await notify({ delayMinutes: 5 });
  expect(await published()).toHaveLength(3);
});

test('a repeat of a pending notice adds nothing, even when its minute is over', async () => {
  const { notify, published, last } = await owed();
  running.clock.advance({ seconds: 61 });
  const { body } = await notify({ delayMinutes: 20, note: 'Sorry.' });
  expect(body).toEqual({ ok: true, newEta: last, notified: 'none', channel_detail: 'deduplicated' });
  await sendPending();
  expect(await published()).toHaveLength(2);
});

test('a new notice after the minute is sent at once and replaces the pending one', async () => {
  const { notify, published } = await owed();
  running.clock.advance({ seconds: 61 });
  const { body } = await notify({ delayMinutes: 3 });
  await sendPending();
  running.clock.advance({ minutes: 1 });
  await sendPending();
  expect((await published()).slice(1)).toEqual([expect.objectContaining({ new_eta: body.newEta, note: null })]);
});

test.each([
  ['cancelled', ['cancelled']],
  ['collected', ['preparing', 'ready', 'collected']],
])('a pending notice is dropped when its order is %s meanwhile', async (_, steps) => {
  const { id, staff, published } = await owed();
  for (const step of steps) expect((await staff.advance(id, step)).status).toBe(200);
  running.clock.advance({ minutes: 1 });
  await sendPending();
  expect(await published()).toHaveLength(1);
});
