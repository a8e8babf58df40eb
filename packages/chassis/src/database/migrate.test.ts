import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmptyDatabase, emptyDatabase, testFolder } from '@corner/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { newThing, type Platform, preparePlatform, storeId } from '../testing/platform.ts';
import { migrate } from './migrate.ts';

let platform: Platform;
let client: pg.Client;

beforeAll(async () => {
  platform = await preparePlatform();
  client = new pg.Client({ connectionString: platform.database.roleUrl('orders') });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await platform[Symbol.asyncDispose]();
});

test('a migration runs once, although several processes apply it at once', async () => {
  const both = await Promise.all([migrateOrders(), migrateOrders()]);
  expect(both.map(({ applied }) => applied)).toEqual([[], []]);
});

const migrateOrders = (onWait?: (sentence: string) => void) =>
  migrate({
    service: 'orders',
    adminUrl: platform.database.adminUrl,
    roleUrl: platform.database.roleUrl('orders'),
    directory: `${import.meta.dirname}/../testing/migrations/orders`,
    ...(onWait ? { onWait } : {}),
  });

test('a migration that waits says which session has the lock, and how an operator ends one whose process is gone', async () => {
  const holder = new pg.Client({ connectionString: platform.database.adminUrl, application_name: 'loyalty migrations' });
  await holder.connect();
  const { rows } = await holder.query<{ pid: number }>(`select pg_advisory_lock(7241865325823964), pg_backend_pid() as pid`);
  const pid = rows[0]?.pid;
  const { promise: waits, resolve } = Promise.withResolvers<string>();
  const migrated = migrateOrders(resolve);
  expect(await waits).toMatch(
    new RegExp(
      `^waiting for loyalty migrations \\(session ${pid}, from 127.0.0.1, since 20\\S+ \\S+ \\S+, idle for \\d+ s\\).*: select pg_terminate_backend\\(${pid}\\)$`,
    ),
  );
  await holder.end();
  expect((await migrated).applied).toEqual([]);
});

test('Postgres ends a migration whose process has been silent for ten seconds, and with it its lock', async () => {
  await using directory = await testFolder();
  writeFileSync(
    join(directory.path, '0001-settings.sql'),
    `create table seen as select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_user_timeout') as unsent,
       current_setting('client_connection_check_interval') as busy, current_setting('application_name') as name;`,
  );
  await using database = await emptyDatabase();
  await migrate({ service: 'orders', adminUrl: database.adminUrl, roleUrl: database.roleUrl('orders'), directory: directory.path });
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const { rows } = await admin.query('select * from orders.seen');
  await admin.end();
  expect(rows).toEqual([{ idle: '4', unsent: '10000', busy: '5s', name: 'orders migrations' }]);
});

test('migrations that a newer version has made are named, and stop no migration of this one', async () => {
  await using directory = await testFolder();
  await using database = await emptyDatabase();
  const said: string[] = [];
  const apply = () =>
    migrate({
      ...{ service: 'orders', adminUrl: database.adminUrl, roleUrl: database.roleUrl('orders'), directory: directory.path },
      onUnknown: (sentence) => said.push(sentence),
    });
  const write = (name: string) => writeFileSync(join(directory.path, `${name}.sql`), 'select 1;');
  for (const name of ['0001-first', '0002-newer', '0003-newest']) write(name);
  await apply();
  expect(said).toEqual([]);
  for (const name of ['0002-newer', '0003-newest']) rmSync(join(directory.path, `${name}.sql`));
  expect((await apply()).applied).toEqual([]);
  expect(said).toEqual(['the schema has migrations that this version lacks: 0002-newer, 0003-newest']);
});

test('the same role is created and granted in several databases at once', async () => {
  await using first = await emptyDatabase();
  await using second = await emptyDatabase();
  const roleUrl = first.roleUrl('orders');
  const into = (adminUrl: string, service: string) =>
    migrate({ service, adminUrl, roleUrl, directory: `${import.meta.dirname}/../testing/migrations/orders` });
  // Advisory locks belong to one database and roles to the whole server, so these migrations change the role at the same time.
  for (let round = 0; round < 5; round += 1)
    await Promise.all([first, second].flatMap(({ adminUrl }) => ['orders', 'other'].map((service) => into(adminUrl, service))));
});

async function humbleRole(admin: pg.Client, database: EmptyDatabase): Promise<string> {
  const url = new URL(database.roleUrl('migrator'));
  await admin.query(`create role ${url.username} login password '${url.password}'`);
  return url.href;
}

const statementsIn = (error: Error): string => error.message.slice(error.message.indexOf('\n')).replace("'…'", "'it'");

test('a role that may create nothing names what an administrator has to run, and then migrates a prepared schema', async () => {
  await using database = await emptyDatabase();
  await using stack = new AsyncDisposableStack();
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  stack.defer(() => admin.end());
  const roleUrl = Object.assign(new URL(database.roleUrl('orders')), { password: 'it' }).href;
  const adminUrl = await humbleRole(admin, database);
  const directory = `${import.meta.dirname}/../testing/migrations/orders`;
  const apply = () => migrate({ service: 'orders', adminUrl, roleUrl, directory });

  const noRole: Error = await apply().then(
    () => new Error('none'),
    (error) => error,
  );
  expect(noRole.message).toMatch(
    /may not make the role of this service\. An administrator runs:\n {2}create role .* password '…';\n {2}alter role/,
  );
  expect(noRole.message).not.toContain("'it'");
  await admin.query(statementsIn(noRole));
  const noSchema: Error = await apply().then(
    () => new Error('none'),
    (error) => error,
  );
  expect(noSchema.message).toMatch(
    /may not create schemas\. An administrator runs:\n {2}create schema "orders" authorization \w+_migrator;$/,
  );
  await admin.query(statementsIn(noSchema));
  expect((await apply()).applied).not.toEqual([]);
  expect((await apply()).applied).toEqual([]);

  const service = new pg.Client({ connectionString: roleUrl });
  await service.connect();
  stack.defer(() => service.end());
  await service.query('insert into thing (id, store_id) values ($1, $2)', [newThing(), storeId]);
  await expect(service.query('delete from outbox')).rejects.toMatchObject({ code: '42501' });
  await admin.query(`alter role ${new URL(roleUrl).username} reset search_path`);
  await expect(apply()).rejects.toThrow(/An administrator runs:\n {2}alter role \S+ set search_path = "orders";$/);
});

test('a service may change its own rows', async () => {
  await client.query('insert into thing (id, store_id) values ($1, $2)', [newThing(), storeId]);
  expect((await client.query('select 1 from thing')).rowCount).toBe(1);
});

test.each([
  ['change an event it published', `update outbox set data = '{}'`],
  ['delete an event', 'delete from outbox'],
  ['read the schema of another service', 'select * from loyalty.effect'],
  ['change the record of migrations', 'delete from service_migrations'],
  ['create tables', 'create table mine (id int)'],
  ['create tables in the public schema', 'create table public.mine (id int)'],
])('a service may not %s', async (_, statement) => {
  await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
});
