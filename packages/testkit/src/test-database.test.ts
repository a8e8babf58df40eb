import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { services } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { fillTemplate } from './fill-template.ts';
import { holdRun } from './hold-run.ts';
import { nameInRun, withClient } from './run-database.ts';
import { emptyDatabase, testDatabase, testDatabaseForAll } from './test-database.ts';
import { currentTestRun, type TestFolder, type TestRun, testFolder } from './test-run.ts';
import { migrateForTest } from './testing/migrate-for-test.ts';

const outer = currentTestRun();
const runId = `${process.pid}_${randomBytes(3).toString('hex')}`;
let folder: TestFolder;
let run: TestRun;
let endRun: () => Promise<void>;

beforeAll(async () => {
  folder = await testFolder();
  endRun = await holdRun(outer.postgresUrl, runId);
  for (const service of services) await addService(service, 'create table thing (n int)');
  await addService('broken', 'create table thing (n no_such_type)');
  await mkdir(join(folder.path, 'gateway'));
  run = { ...outer, id: runId, ...(await fillTemplate(outer.postgresUrl, runId, folder.path)) };
});
afterAll(async () => {
  await endRun();
  await folder[Symbol.asyncDispose]();
});

async function addService(service: string, statement: string): Promise<void> {
  await mkdir(join(folder.path, service, 'migrations'), { recursive: true });
  await mkdir(join(folder.path, service, 'src'));
  const program = `import { migrateForTest } from '${import.meta.dirname}/testing/migrate-for-test.ts';
    await migrateForTest('${service}', '${statement}', process.env.MIGRATION_DATABASE_URL, process.env.DATABASE_URL);`;
  await writeFile(join(folder.path, service, 'src/migrate.ts'), program);
}

const query = (url: string, text: string): Promise<unknown[]> =>
  withClient(url, async (client) => (await client.query({ text, rowMode: 'array' })).rows.flat());
const databases = (prefix: string) => query(outer.postgresUrl, `select datname from pg_database where starts_with(datname, '${prefix}')`);

describe("a service's test database", () => {
  test("has the service's schema and login", async () => {
    await using database = await testDatabase('orders', run);
    await query(database.url, 'insert into thing values (1)');
    expect(await query(database.url, 'select n from thing')).toEqual([1]);
    expect(await query(database.url, 'select current_user, current_database()')).toEqual([nameInRun(runId, 'orders'), database.name]);
    await expect(query(database.url, 'select n from loyalty.thing')).rejects.toMatchObject({ code: '42501' });
    expect(await query(database.adminUrl, 'select n from orders.thing union all select count(*)::int from loyalty.thing')).toEqual([1, 0]);
  });

  test('is used by one test only: no other one sees its rows', async () => {
    await using one = await testDatabase('orders', run);
    await using other = await testDatabase('orders', run);
    await query(one.url, 'insert into thing values (1)');
    expect(await query(other.url, 'select n from thing')).toEqual([]);
    await using next = await testDatabase('orders', run);
    expect(await query(next.url, 'select n from thing')).toEqual([]);
  });

  test('can be made eight times at once', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => testDatabase('queue', run)));
    expect(new Set(many.map(({ name }) => name)).size).toBe(8);
    await Promise.all(many.map((database) => database[Symbol.asyncDispose]()));
  });

  test('is made once no other client is connected to the template', async () => {
    const template = new pg.Client({ connectionString: `${outer.postgresUrl.replace(/[^/]*$/, '')}${nameInRun(runId, 'template')}` });
    await template.connect();
    const cloning = testDatabase('orders', run);
    await template.end();
    await using database = await cloning;
    expect(await query(database.url, 'select n from thing')).toEqual([]);
  });

  test('is dropped by disposal, connected clients notwithstanding', async () => {
    const database = await testDatabase('orders', run);
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    const cut = new Promise<void>((resolve) => client.once('end', resolve));
    await client.connect();
    await database[Symbol.asyncDispose]();
    await cut;
    expect(await databases(database.name)).toEqual([]);
  });

  test('is refused, with the reason, when the migrations failed or do not exist', async () => {
    await expect(testDatabase('broken', run)).rejects.toThrow(/migrations of broken failed.*no_such_type/s);
    await expect(testDatabase('gateway', run)).rejects.toThrow('no service gateway with a folder of migrations');
  });
});

test("a database for the whole system has each service's login", async () => {
  await using database = await testDatabaseForAll(run);
  expect(Object.keys(database.urls)).toEqual([...services]);
  for (const [service, url] of Object.entries(database.urls)) {
    await query(url, 'insert into thing values (7)');
    expect(await query(database.adminUrl, `select n from ${service}.thing`)).toEqual([7]);
  }
});

test('an empty database has no tables, and its roles are dropped with it', async () => {
  const roles = () => query(outer.postgresUrl, `select rolname from pg_roles where starts_with(rolname, '${database.name}')`);
  const database = await emptyDatabase(run);
  expect(
    await query(database.adminUrl, `select count(*)::int from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`),
  ).toEqual([0]);
  const roleUrl = database.roleUrl('orders');
  await migrateForTest('orders', 'create table thing (n int)', database.adminUrl, roleUrl);
  expect(await query(roleUrl, 'select n from thing')).toEqual([]);
  expect(await roles()).toHaveLength(1);
  await database[Symbol.asyncDispose]();
  expect(await roles()).toEqual([]);
});
