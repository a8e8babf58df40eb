import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { RunningService, ServiceDefinition } from '../service.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { type ProducerContext, producer } from '../testing/services.ts';
import { job } from './jobs.ts';

let platform: Platform;
/** When the next run is due, as each run read it, by the database's clock. */
const dues: number[] = [];
const Due = z.object({ due: z.number() });
const replica = (fails: boolean): ServiceDefinition<ProducerContext> => ({
  ...producer(),
  jobs: {
    everySecond: job(1, async ({ database }) => {
      const { due } = await database.one(
        sql.type(Due)`select extract(epoch from next_at)::float8 as due from job where name = 'everySecond'`,
      );
      dues.push(due);
      if (fails) throw new Error('this time');
    }),
  },
});
const replicas: RunningService<ProducerContext>[] = [];

beforeAll(async () => {
  platform = await preparePlatform();
});
afterAll(async () => {
  for (const running of replicas) await running[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

test('a job runs once a period, however many replicas there are, and again after it failed', async () => {
  for (const fails of [true, true, true]) replicas.push(await platform.start(replica(fails)));
  await until(async () => dues.length >= 4, { describe: 'four runs' });
  const gaps = dues.slice(1).map((due, i) => due - (dues[i] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1);
});
