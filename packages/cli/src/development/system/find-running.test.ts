import { writeFileSync } from 'node:fs';
import { runFileIn } from '@corner/operator';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { runningSystem } from './find-running.ts';

const at = 'http://127.0.0.1:1';
const description = { gateway: at, docs: at, payments: at, issuer: at, postgres: at, nats: at, services: {}, stores: [], customers: [] };

test('a system that was killed and left its description is not taken for a running one', async () => {
  await using folder = await testFolder();
  expect(() => runningSystem(folder.path, 'nothing was done')).toThrow('corner is not running');
  writeFileSync(runFileIn(folder.path), JSON.stringify({ ...description, tokens: { ana: '', bo: '', cy: '' } }));
  expect(runningSystem(folder.path, 'nothing was done').gateway).toBe(at);
  const supervisor = { pid: process.pid, identity: 'another process had this id', stopSignal: 'SIGTERM' };
  writeFileSync(`${folder.path}/processes.json`, JSON.stringify({ supervisor, processes: {} }));
  expect(() => runningSystem(folder.path, 'nothing was done')).toThrow('corner is not running');
});
