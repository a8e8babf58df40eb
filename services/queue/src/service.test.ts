import { queue } from '@corner/contracts';
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

test.each(['/livez', '/readyz'])('answers %s', async (path) => {
  const response = await fetch(`${running.service.url}${path}`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ service: 'queue' });
});

test('every operation of the contract is in the table, and no other', () => {
  expect(Object.keys(operations).sort()).toEqual(Object.keys(queue).sort());
});
