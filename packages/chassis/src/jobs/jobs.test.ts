import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { RunningService } from '../service.ts';
import type { ServiceDefinition } from '../service-definition.ts';
import { createLog } from '../telemetry/log.ts';
import { type Platform, preparePlatform } from '../testing/platform.ts';
import { consumer, type ProducerContext, producer } from '../testing/services.ts';
import { job } from './jobs.ts';

let platform: Platform;
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

test('what a job sends and logs is marked as background work of the job, and what a caller sends meanwhile is not', async () => {
  for (const running of replicas.splice(0)) await running[Symbol.asyncDispose]();
  const [ofJobs, ofCallers, lines]: [string[], string[], Record<string, unknown>[]] = [[], [], []];
  const log = createLog('orders', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
  const marked = job<ProducerContext>(1, async ({ database }) => {
    await database.query(sql.type(z.object({}))`select 1 as from_job`);
    log.info('marked');
  });
  const watch = (text: string, _name: string | undefined, isBackground: boolean) => void (isBackground ? ofJobs : ofCallers).push(text);
  const running = await platform.start({ ...producer(), jobs: { marked } }, { log, watch });
  replicas.push(running);
  await running.database.query(sql.type(z.object({}))`select 1 as from_caller`);
  await until(() => lines.some(({ msg }) => msg === 'marked'), { describe: 'a run' });
  expect(ofCallers).toEqual(['select 1 as from_caller']);
  expect(ofJobs).toEqual(expect.arrayContaining([expect.stringContaining('update job'), 'select 1 as from_job']));
  expect(lines.find(({ msg }) => msg === 'marked')).toMatchObject({ background: 'jobs', job: 'marked' });
});

test('a service whose jobs are not due sends no statement, and a due job is claimed by one', async () => {
  for (const running of replicas.splice(0)) await running[Symbol.asyncDispose]();
  const [idle, busy]: [string[], string[]] = [[], []];
  await using loyalty = await platform.start(
    { ...consumer(), jobs: { daily: job(86_400, async () => {}) } },
    { watch: (text) => idle.push(text) },
  );
  await loyalty.backbone;
  let [ticks, hourly] = [0, 0];
  const jobs = { tick: job(1, async () => void ticks++), hourly: job(3_600, async () => void hourly++) };
  replicas.push(await platform.start({ ...producer(), jobs }, { watch: (text) => busy.push(text) }));
  await until(() => hourly > 0 && ticks > 0 && idle.some((text) => text.includes('prune_relay_batches')), { describe: 'the first runs' });
  const planned = sql.type(z.object({ count: z.number() }))`
    select count(*) from job where next_at > clock_timestamp() + interval '5 minutes'`;
  await until(async () => (await loyalty.database.oneFirst(planned)) === 2, { describe: 'both jobs planned' });
  const [idleBefore, busyBefore, ticksBefore] = [idle.length, busy.length, ticks];
  await until(() => ticks >= ticksBefore + 4, { describe: 'four seconds, by the runs of the other service' });
  expect(idle.slice(idleBefore)).toEqual([]);
  // Its consumer requests the producer's last number every few seconds.
  const claims = busy.slice(busyBefore).filter((text) => !text.includes('from relay_state'));
  expect(claims.filter((text) => !text.includes('update job'))).toEqual([]);
  // One claim for each run, and one that may have come a moment before the job was due.
  expect(claims.length).toBeLessThanOrEqual(ticks - ticksBefore + 2);
});
