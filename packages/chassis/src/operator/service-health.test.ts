import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { producer } from '../testing/services.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await preparePlatform();
});
afterAll(async () => {
  await platform[Symbol.asyncDispose]();
});

test('a replica is ready while more wait for a connection than can have one in time', async () => {
  await using orders = await platform.start(producer(), {}, { DATABASE_POOL_SIZE: '2' });
  let busy = true;
  // Each waits for its turn again and again: of 500 on two connections one gets a turn every 2.5 seconds, and a check has two.
  const keepBusy = async () => {
    while (busy) await orders.database.query(sql.type(z.object({}))`select pg_sleep(0.01)`).catch(() => {});
  };
  const callers = Array.from({ length: 500 }, keepBusy);
  try {
    await until(async () => (await fetch(`${orders.url}/readyz`)).status === 200, { describe: 'the replica to be ready' });
    expect(orders.database.state().waiting).toBeGreaterThan(400);
  } finally {
    busy = false;
  }
  await Promise.all(callers);
});
