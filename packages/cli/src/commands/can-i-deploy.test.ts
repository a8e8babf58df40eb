import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestFolder, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { madeRelease } from '../testing/made-release.ts';
import { runCorner } from '../testing/run-corner.ts';

let folder: TestFolder;

beforeAll(async () => {
  folder = await testFolder();
  madeRelease(folder.path, 'orders', '1.0.0');
  madeRelease(folder.path, 'loyalty', '1.0.0');
  madeRelease(folder.path, 'orders', '2.0.0', { publishes: {} });
  writeFileSync(join(folder.path, 'deployed.json'), JSON.stringify({ production: { orders: '1.0.0', loyalty: '1.0.0' }, nowhere: {} }));
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

const ask = (...args: readonly string[]) => runCorner(['can-i-deploy', ...args], process.env);
const askHere = (wanted: string, ...args: readonly string[]) =>
  ask(wanted, '--deployed', join(folder.path, 'deployed.json'), '--releases', folder.path, ...args);

test('the version of the checkout may be deployed beside releases that it understands', async () => {
  const { output, code } = await askHere('orders@next');
  expect([code, output]).toEqual([0, 'yes: orders@next may be deployed to production beside orders 1.0.0, loyalty 1.0.0\n']);
});

test('a release that takes something from those beside it may not be deployed, and each break is a sentence', async () => {
  const { output, code } = await askHere('orders@2.0.0');
  expect(code).toBe(1);
  expect(output).toMatch(/^no: orders@2\.0\.0 may not be deployed to production\n/);
  expect(output).toContain('subscribers of order.paid/v1 of orders 1.0.0 break with orders 2.0.0: order.paid/v1 is published no more\n');
  expect((await askHere('orders@2.0.0', '--to', 'nowhere')).output).toBe('yes: orders@2.0.0 may be deployed to nowhere beside nothing\n');
});

test.each([
  [['orders'], 'orders names no version of a service'],
  [['baker@1'], 'baker@1 names no version of a service'],
  [['orders@9.9.9'], 'orders 9.9.9 was not released'],
  [['orders@next', '--deployed', 'missing.json'], 'there is no file missing.json'],
])('%j is refused', async (args, why) => {
  const { errors, code } = await ask(...args);
  expect([code, errors]).toEqual([1, expect.stringContaining(why)]);
});
