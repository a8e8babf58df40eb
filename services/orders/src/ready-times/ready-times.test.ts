// covers: readReadyTimes, readMenu

import { writeFileSync } from 'node:fs';
import { recountReadyTimes } from '@corner/operator';
import { documentedCommands, feedPage, runCommands, testFolder, webhookFeed, withDays } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { codeOf, customer, worker } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { learnReadyTimes } from './entry-points.ts';

let running: Running;
let store: OpenStore;
let bo: ReturnType<typeof worker>;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-06T10:00:00Z');
  store = await running.openStore({ time_zone: 'Europe/London' });
  bo = worker(running, store, 'merchant');
});
afterAll(async () => await running[Symbol.asyncDispose]());

const free = { order_type: 'collect', items: [{ menu_item_id: 'sample', quantity: 1 }] };
const tea = { order_type: 'collect', items: [{ menu_item_id: 'flat-white', quantity: 1 }] };

/** Places an order that costs nothing, and has it ready after the minutes. */
async function readyAfter(minutes: number): Promise<string> {
  const { order_id } = (await customer(running).create(store, free)).body;
  await bo.advance(order_id, 'preparing');
  running.clock.advance({ minutes });
  expect((await bo.advance(order_id, 'ready')).status).toBe(200);
  await bo.advance(order_id, 'collected');
  return order_id;
}
async function teach(): Promise<void> {
  for (let n = 0; n < 20; n += 1) await readyAfter(7 + (n % 5));
  await learnReadyTimes(running.service.context);
}
const readMenu = async () => (await customer(running).call('GET', `/api/v1/orders/stores/${store.id}/menu`)).body;
const readWeeks = async () => (await bo.call('GET', `/api/v1/orders/stores/${store.id}/ready-times`)).body.weeks;
const estimateOf = async (orderId: string) => (await bo.get(orderId)).body.order.ready_estimate;
const after = (minutes: number) => new Date(running.clock.now().getTime() + minutes * 60_000).getTime();

const Row = z.object({ event_id: z.string(), type: z.string(), at: z.string(), data: z.unknown() });
const feed = async () =>
  webhookFeed(
    store.id,
    await running.service.database.any(sql.type(Row)`
      select event_id, type, to_jsonb(created_at) #>> '{}' as at, data from outbox where store_id = ${store.id} order by id`),
  );
const days = { from: '2026-04-09', to: '2026-05-06', zone: 'Europe/London' };

test('an order is quoted by the times of twenty others, for its customer and the store, and what was typed until then', async () => {
  const ana = customer(running);
  const first = (await ana.create(store, free)).body.order_id;
  expect(await estimateOf(first)).toBe(undefined);
  await bo.advance(first, 'cancelled');
  await teach();
  const quotedAt = after(0);
  const { order_id } = await ana.paid(store, tea);
  const { order } = (await ana.call('GET', `/api/v1/orders/${order_id}/mine`)).body;
  const minutes = Object.values(order.ready_estimate as Record<string, string>).map((at) => (Date.parse(at) - quotedAt) / 60_000);
  expect(minutes).toEqual([9, 6, 11]);
  expect(order.requested_collection_at).toBe(order.ready_estimate.at);
  expect(await estimateOf(order_id)).toEqual(order.ready_estimate);
  expect((await readMenu()).ready_times).toEqual({ from_min: 7, to_min: 11, quotes: 0, kept_percent: null });
});

test('a booked order and one that is handed out at once are not quoted', async () => {
  await teach();
  const { order_id } = await customer(running).paid(store, { items: tea.items });
  expect(await estimateOf(order_id)).toBe(undefined);
});

test('a quote is kept within its spread: weeks for managers, one number for everyone, the same number from the events', async () => {
  await teach();
  for (const minutes of [2, 9, 8, 30]) await readyAfter(minutes);
  const corrected = await readyAfter(9);
  const correct = (to: string) =>
    bo.call('POST', `/api/v1/orders/${corrected}/correct`, { store_id: store.id, to_status: to, reason: 'A mistake.' });
  expect((await correct('ready')).status).toBe(200);
  expect((await correct('preparing')).status).toBe(200);
  running.clock.advance({ minutes: 20 });
  await bo.advance(corrected, 'ready');
  expect(await readWeeks()).toEqual([{ week: '2026-05-04', quotes: 5, kept: 2, early: 1, late: 2 }]);
  for (let n = 0; n < 15; n += 1) await readyAfter(9);
  await learnReadyTimes(running.service.context);
  expect((await readMenu()).ready_times).toMatchObject({ quotes: 20, kept_percent: 85 });
  expect(recountReadyTimes(await feed(), days)).toEqual({ quotes: 20, kept: 17, kept_percent: 85 });
  expect(recountReadyTimes(await feed(), { ...days, to: '2026-05-05' }).quotes).toBe(0);
  await running.asSuperuser(`update orders set ready_to = ready_at where store_id = '${store.id}' and ready_to < ready_at`);
  await learnReadyTimes(running.service.context);
  expect((await readMenu()).ready_times.kept_percent).toBe(95);
  running.clock.set('2026-06-03T10:00:00Z');
  await learnReadyTimes(running.service.context);
  expect((await readMenu()).ready_times).toBe(null);
});

test('a stranger follows docs/proofs.md: the recount of the events is what everyone is shown', async () => {
  await teach();
  for (let n = 0; n < 20; n += 1) await readyAfter(n < 5 ? 40 : 9);
  await learnReadyTimes(running.service.context);
  await using folder = await testFolder();
  writeFileSync(`${folder.path}/page-1.json`, feedPage(await feed()));
  const [counted = '', , said = ''] = documentedCommands('docs/proofs.md', 'Quoted waits and ready times, kept or not');
  const env = { GATEWAY: running.service.url, STORE: store.id };
  const run = (text: string) => runCommands(withDays(text, { '2026-11-03': days.from, '2026-11-30': days.to }), folder.path, env);
  const { ready_times: shown } = JSON.parse((await run(said))[0]);
  expect(shown).toMatchObject({ quotes: 20, kept_percent: 75 });
  expect(await run(counted)).toEqual([expect.stringContaining('15 of 20 quoted ready times were kept: 75 %'), 0]);
});

test('the weeks are for those who manage the store', async () => {
  const path = `/api/v1/orders/stores/${store.id}/ready-times`;
  expect(codeOf(await worker(running, store, 'staff').call('GET', path))).toEqual([403, 'INSUFFICIENT_ROLE']);
  expect((await fetch(`${running.service.url}${path}`)).status).toBe(401);
  const unknown = { ...store, id: '0190a000-0000-7000-8000-00000000dead' };
  expect(codeOf(await worker(running, unknown, 'merchant').call('GET', path.replace(store.id, unknown.id)))).toEqual([
    404,
    'STORE_NOT_FOUND',
  ]);
});
