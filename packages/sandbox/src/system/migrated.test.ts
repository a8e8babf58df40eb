import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { testFolder } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import { type Migrations, onceMigrated } from './migrated.ts';

async function dataFolder() {
  const folder = await testFolder();
  const [dataDir, program] = [folder.path, `${folder.path}/migrate.js`];
  mkdirSync(`${dataDir}/postgres`);
  writeFileSync(program, 'one');
  const parts = [{ part: 'orders', adminUrl: 'postgres://a:b@127.0.0.1:5433/corner' }] as const;
  return { made: { dataDir, program, parts } satisfies Migrations, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function migrates(migrations: Migrations, meanwhile = () => {}): Promise<boolean> {
  let ran = false;
  await onceMigrated(migrations, async () => {
    ran = true;
    meanwhile();
  });
  return ran;
}

test('a start migrates again when the program, a database or the data folder is another, and never skips the server of others', async () => {
  await using folder = await dataFolder();
  const { made } = folder;
  expect(await migrates(made)).toBe(true);
  expect(await migrates(made)).toBe(false);
  expect(await migrates({ ...made, parts: [{ part: 'orders', adminUrl: 'postgres://a:b@127.0.0.1:6000/corner' }] })).toBe(false);
  expect(await migrates({ ...made, dataDir: null })).toBe(true);
  const others: Partial<Migrations>[] = [
    { parts: [{ part: 'orders', adminUrl: 'postgres://a:b@127.0.0.1:5433/corner_orders' }] },
    { parts: [...made.parts, { part: 'queue', adminUrl: 'postgres://a:b@127.0.0.1:5433/corner' }] },
  ];
  for (const other of others) {
    expect(await migrates({ ...made, ...other })).toBe(true);
    await migrates(made);
  }
  writeFileSync(made.program, 'two');
  expect(await migrates(made)).toBe(true);
  rmSync(`${made.dataDir}/postgres`, { recursive: true });
  mkdirSync(`${made.dataDir}/postgres`);
  expect(await migrates(made)).toBe(true);
});

test('a file that is saved while the migrations run is migrated at the next start; migrations that failed are tried again', async () => {
  await using folder = await dataFolder();
  const { made } = folder;
  expect(await migrates(made, () => writeFileSync(made.program, 'two'))).toBe(true);
  expect(await migrates(made)).toBe(true);
  writeFileSync(made.program, 'three');
  await expect(
    migrates(made, () => {
      throw new Error('failed');
    }),
  ).rejects.toThrow('failed');
  expect(await migrates(made)).toBe(true);
  expect(await migrates(made)).toBe(false);
});
