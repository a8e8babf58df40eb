import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { isMigrated, noteMigrated } from './migrated.ts';

test('a start migrates again when the program, a database or the data folder is another, and never skips the server of others', async () => {
  await using folder = await testFolder();
  const [dataDir, program] = [folder.path, `${folder.path}/migrate.js`];
  mkdirSync(`${dataDir}/postgres`);
  writeFileSync(program, 'one');
  const parts = [{ part: 'orders', adminUrl: 'postgres://a:b@127.0.0.1:5433/corner' }] as const;
  const made = { dataDir, program, parts };
  expect(isMigrated(made)).toBe(false);
  noteMigrated(made);
  expect(isMigrated(made)).toBe(true);
  expect(isMigrated({ ...made, parts: [{ part: 'orders', adminUrl: 'postgres://a:b@127.0.0.1:6000/corner' }] })).toBe(true);
  expect(isMigrated({ ...made, parts: [{ part: 'orders', adminUrl: 'postgres://a:b@127.0.0.1:5433/corner_orders' }] })).toBe(false);
  expect(isMigrated({ ...made, parts: [...parts, { part: 'queue', adminUrl: 'postgres://a:b@127.0.0.1:5433/corner' }] })).toBe(false);
  expect(isMigrated({ ...made, dataDir: null })).toBe(false);
  writeFileSync(program, 'two');
  expect(isMigrated(made)).toBe(false);
  noteMigrated(made);
  rmSync(`${dataDir}/postgres`, { recursive: true });
  expect(isMigrated(made)).toBe(false);
});
