import { type EmptyDatabase, emptyDatabase, tcpProxyTo } from '@corner/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Platform as Clocked } from '../service-definition.ts';
import { createLog } from '../telemetry/log.ts';
import { startMetrics } from '../telemetry/metrics.ts';
import { preparePlatform } from '../testing/platform.ts';
import { producer } from '../testing/services.ts';
import { type Database, openDatabase } from './database.ts';
import { databaseClock } from './database-clock.ts';

const tenMinutes = 600_000;
/** Postgres runs on this machine, so the two clocks agree; a busy machine may take a while between two readings. */
const isTrue = (time: Date): boolean => Math.abs(time.getTime() - Date.now()) < 60_000;

let empty: EmptyDatabase;
let database: Database;
const lines: { readonly msg: string; readonly ahead_seconds?: number }[] = [];
const log = createLog('orders', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
beforeAll(async () => {
  empty = await emptyDatabase();
  database = await openDatabase({ url: empty.adminUrl });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await empty[Symbol.asyncDispose]();
});
beforeEach(() => void lines.splice(0));

test.each([tenMinutes, -tenMinutes])('a process whose clock is wrong by %p ms acts by the time of Postgres, and says so', async (by) => {
  const metrics = startMetrics({ service: 'orders' });
  const clock = databaseClock(() => Date.now() + by);
  expect(isTrue(clock.now())).toBe(false);
  using _following = await clock.follow(database, log);
  expect(isTrue(clock.now())).toBe(true);
  expect(lines.map(({ ahead_seconds = 0 }) => Math.round(ahead_seconds / 60))).toEqual([by / 60_000]);
  const ahead = /^corner_clock_ahead_seconds\S* (\S+)/m.exec(await metrics.text())?.[1];
  expect(Math.round(Number(ahead) / 60)).toBe(by / 60_000);
  await metrics.stop();
});

test('a process whose clock agrees with Postgres within a second acts by its own', async () => {
  const own = () => Date.now() + 500;
  const clock = databaseClock(own);
  using _following = await clock.follow(database, log);
  const [before, time, after] = [own(), clock.now().getTime(), own()];
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(after);
  expect(lines).toEqual([]);
});

test('a clock that jumps changes nothing, also not when it jumps back', async () => {
  let by = 0;
  const clock = databaseClock(() => Date.now() + by);
  using _following = await clock.follow(database, log);
  by = tenMinutes;
  expect(isTrue(clock.now())).toBe(true);
  by = 0;
  expect(isTrue(clock.now())).toBe(true);
});

test('without Postgres a process acts by its own clock', async () => {
  await using proxy = await tcpProxyTo(empty.adminUrl);
  await using away = await openDatabase({ url: proxy.url });
  proxy.cut();
  const clock = databaseClock();
  using _following = await clock.follow(away, log);
  expect(isTrue(clock.now())).toBe(true);
  expect(lines).toHaveLength(1);
});

test('a service that starts with a wrong clock writes the time of Postgres, also in its ids', async () => {
  await using platform = await preparePlatform();
  const ownNow = Date.now;
  Date.now = () => ownNow() + tenMinutes;
  try {
    await using service = await platform.start({ ...producer(), context: ({ now, newId }: Clocked) => ({ now, newId }) } as never);
    const { now, newId } = service.context as unknown as Clocked;
    const times = [
      now(),
      new Date(Number.parseInt(newId().replace('-', '').slice(0, 12), 16)),
      await service.database.transaction(async (tx) => tx.now),
    ];
    Date.now = ownNow;
    expect(times.map(isTrue)).toEqual([true, true, true]);
  } finally {
    Date.now = ownNow;
  }
});
