import { notifications } from '@corner/contracts';
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

test.each(['/livez', '/readyz'])('%s returns 200 with the name of the service', async (path) => {
  // Readiness queries the database, which may take longer than the check waits on a busy machine.
  const response = await until(
    async () => {
      const attempt = await fetch(`${running.service.url}${path}`);
      return attempt.ok && attempt;
    },
    { describe: `${path} to return 200` },
  );
  expect(await response.json()).toMatchObject({ service: 'notifications' });
});

test('the service has exactly the operations of its contract', () => {
  expect(Object.keys(operations).sort()).toEqual(Object.keys(notifications).sort());
});
