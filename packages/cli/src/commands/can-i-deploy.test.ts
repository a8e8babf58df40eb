import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { runCorner } from '../testing/run-corner.ts';

const ask = (...args: readonly string[]) => runCorner(['can-i-deploy', ...args], process.env);

test('the version of the checkout may be deployed beside the first releases', async () => {
  await using folder = await testFolder();
  const file = join(folder.path, 'deployed.json');
  writeFileSync(file, JSON.stringify({ production: { orders: '0.1.0', loyalty: '0.1.0' } }));
  const { output, code } = await ask('orders@next', '--deployed', file);
  expect([code, output]).toEqual([0, 'yes: orders@next may be deployed to production beside orders 0.1.0, loyalty 0.1.0\n']);
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
