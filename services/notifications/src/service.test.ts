import { notifications } from '@corner/contracts';
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
  const response = await fetch(`${running.service.url}${path}`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ service: 'notifications' });
});

test('the service has exactly the operations of its contract', () => {
  expect(Object.keys(operations).sort()).toEqual(Object.keys(notifications).sort());
});
