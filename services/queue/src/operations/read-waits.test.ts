import { writeFileSync } from 'node:fs';
import { recountWaits } from '@corner/operator';
import { documentedCommands, feedPage, runCommands, testFolder, webhookFeed, withDays } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../testing/running.ts';
import { openSalon, type Salon } from '../testing/salon.ts';

let running: Running;
let salon: Salon;

beforeAll(async () => {
  running = await startRunning();
});
beforeEach(async () => {
  running.clock.set('2026-05-01T09:30:00Z');
  salon = await openSalon(running, 1);
});
afterAll(async () => await running[Symbol.asyncDispose]());

const waits = async (token: string | null, weeks = 8) => {
  const response = await fetch(`${running.service.url}/api/v1/queue/stores/${salon.storeId}/waits?weeks=${weeks}`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as a console would
  return { status: response.status, body: (await response.json()) as any };
};
const weeksNow = async () => (await waits(await salon.owner())).body.weeks;
const publicNow = async () =>
  (await (await fetch(`${running.service.url}/api/v1/queue/stores/${salon.storeId}`)).json()) as Record<string, unknown>;

/** Joins, is called `minutes` later and sits down two minutes after that. Returns the quoted wait. */
async function calledAfter(minutes: number): Promise<number> {
  const { entry_id, expected_wait_min } = (await salon.join({ service_id: salon.beard })).body;
  running.clock.advance({ minutes });
  expect((await salon.move('call', entry_id)).status).toBe(200);
  running.clock.advance({ minutes: 2 });
  await salon.move('complete', (await salon.move('assign', entry_id)).body.entry.entry_id);
  return expected_wait_min;
}

test('a quote is kept when a chair was offered five minutes later at most, and one who left is not kept', async () => {
  expect(await calledAfter(5)).toBe(0);
  expect(await calledAfter(6)).toBe(0);
  const { entry_id } = (await salon.join()).body;
  await salon.leave(entry_id);
  expect(await weeksNow()).toEqual([{ week: '2026-04-27', quotes: 3, offered: 2, kept: 1, left: 1, late_median_min: 5, late_p90_min: 6 }]);
});

test('who sits down without a call was offered a chair then, and a call that was taken back counts by the last one', async () => {
  const first = (await salon.join({ service_id: salon.beard })).body.entry_id;
  running.clock.advance({ minutes: 4 });
  await salon.move('call', first);
  await salon.move('recall', first);
  expect(await weeksNow()).toMatchObject([{ offered: 0 }]);
  running.clock.advance({ minutes: 10 });
  await salon.move('assign', first);
  expect(await weeksNow()).toMatchObject([{ offered: 1, kept: 0, late_median_min: 14 }]);
});

test('weeks begin on Monday at the store, this one first, and only as many are read as were asked for', async () => {
  await calledAfter(0);
  // Half past eleven on Sunday at the store, which is an hour ahead of UTC.
  await running.service.database.query(sql.type(z.object({}))`
    update entry set joined_at = '2026-04-26T22:30:00Z', called_at = '2026-04-26T22:30:00Z' where store_id = ${salon.storeId}`);
  await salon.join();
  expect((await weeksNow()).map(({ week, quotes }: { week: string; quotes: number }) => [week, quotes])).toEqual([
    ['2026-04-27', 1],
    ['2026-04-20', 1],
  ]);
  expect((await waits(await salon.owner(), 1)).body.weeks).toHaveLength(1);
});

test('the public number needs twenty quotes, and is of the last four weeks', async () => {
  for (let n = 0; n < 19; n += 1) await calledAfter(n < 4 ? 9 : 1);
  expect(await publicNow()).toMatchObject({ kept_percent: null, late_by_min: null, quotes: 19 });
  await calledAfter(1);
  expect(await publicNow()).toMatchObject({ kept_percent: 80, late_by_min: 9, quotes: 20 });
  running.clock.set('2026-06-01T09:30:00Z');
  expect(await publicNow()).toMatchObject({ kept_percent: null, quotes: 0 });
});

test('the weeks are for those who manage the store', async () => {
  expect((await waits(await salon.staff())).body.error.code).toBe('INSUFFICIENT_ROLE');
  expect((await waits(null)).body.error.code).toBe('UNAUTHENTICATED');
  const token = await running.issuer.token({ typ: 'merchant', stores: [{ id: '0190a000-0000-7000-8000-00000000dead', role: 'owner' }] });
  const response = await fetch(`${running.service.url}/api/v1/queue/stores/0190a000-0000-7000-8000-00000000dead/waits`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('STORE_NOT_FOUND')]);
});

const days = { from: '2026-04-04', to: '2026-05-01', zone: 'Europe/London' };
const Row = z.object({ event_id: z.string(), type: z.string(), at: z.string(), data: z.unknown() });
const feed = async () =>
  webhookFeed(
    salon.storeId,
    await running.service.database.any(sql.type(Row)`
      select event_id, type, to_jsonb(created_at) #>> '{}' as at, data from outbox where store_id = ${salon.storeId} order by id`),
  );
const publicNumber = async () => {
  const { kept_percent, late_by_min, quotes } = await publicNow();
  return { kept_percent, late_by_min, quotes };
};

/** Late, early and kept quotes, one who left, calls that were taken back, and seats without a call. */
async function busyDay(): Promise<void> {
  for (let n = 0; n < 18; n += 1) await calledAfter((n * 7) % 11);
  await salon.leave((await salon.join()).body.entry_id);
  for (const minutes of [3, 30]) {
    const { entry_id } = (await salon.join({ service_id: salon.beard })).body;
    await salon.move('call', entry_id);
    await salon.move('recall', entry_id);
    running.clock.advance({ minutes });
    await salon.move('assign', entry_id);
    await salon.move('complete', entry_id);
  }
  const recalled = (await salon.join()).body.entry_id;
  await salon.move('call', recalled);
  await salon.move('recall', recalled);
}

test('a recount of the store’s events is the public number, and a change of the database makes it another', async () => {
  await busyDay();
  const { kept, ...figures } = recountWaits(await feed(), days);
  expect(figures).toEqual(await publicNumber());
  expect([kept, figures.quotes]).toEqual([10, 20]);
  expect(recountWaits(await feed(), { ...days, to: '2026-04-30' })).toEqual({ quotes: 0, kept: 0, kept_percent: null, late_by_min: null });
  await running.asSuperuser(`update entry set late_min = 0 where store_id = '${salon.storeId}' and late_min > 5`);
  expect(await publicNumber()).toMatchObject({ kept_percent: 100 });
  expect(recountWaits(await feed(), days).kept_percent).toBe(figures.kept_percent);
});

test('a stranger follows docs/proofs.md: the recount of the events is what everyone is shown', async () => {
  await busyDay();
  await using folder = await testFolder();
  writeFileSync(`${folder.path}/page-1.json`, feedPage(await feed()));
  const [counted = '', said = ''] = documentedCommands('docs/proofs.md', 'Quoted waits and ready times, kept or not');
  const env = { GATEWAY: running.service.url, STORE: salon.storeId };
  const run = (text: string) => runCommands(withDays(text, { '2026-11-03': days.from, '2026-11-30': days.to }), folder.path, env);
  const shown = JSON.parse((await run(said))[0]);
  const line = `10 of ${shown.quotes} quoted waits were kept: ${shown.kept_percent} %; nine of ten were late by ${shown.late_by_min} min`;
  expect(await run(counted)).toEqual([expect.stringContaining(line), 0]);
});
