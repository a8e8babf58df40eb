import { queue } from '@corner/contracts';
import { until } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operations } from './service.ts';
import { type Running, startRunning } from './testing/running.ts';

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

test.each(['/livez', '/readyz'])('%s returns 200 and the service’s name', async (path) => {
  // A loaded machine may need a moment before the service is ready.
  const response = await until(
    async () => {
      const attempt = await fetch(`${running.service.url}${path}`);
      return attempt.ok && attempt;
    },
    { describe: `${path} to return 200` },
  );
  expect(await response.json()).toMatchObject({ service: 'queue' });
});

test('the service has a handler for every operation of its contract and no other', () => {
  expect(Object.keys(operations).sort()).toEqual(Object.keys(queue).sort());
});
