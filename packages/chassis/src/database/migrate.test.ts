import { emptyDatabase } from '@corner/testkit';
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
  const apply = () =>
    migrate({
      service: 'orders',
      adminUrl: platform.database.adminUrl,
      roleUrl: platform.database.roleUrl('orders'),
      directory: `${import.meta.dirname}/../testing/migrations/orders`,
    });
  const both = await Promise.all([apply(), apply()]);
  expect(both.map(({ applied }) => applied)).toEqual([[], []]);
});

test('the same role is created and granted in several databases at once', async () => {
  await using first = await emptyDatabase();
  await using second = await emptyDatabase();
  const roleUrl = first.roleUrl('orders');
  const into = (adminUrl: string, service: string) =>
    migrate({ service, adminUrl, roleUrl, directory: `${import.meta.dirname}/../testing/migrations/orders` });
  // Advisory locks belong to one database and roles to the whole server, so each of these changes the role while the others do.
  for (let round = 0; round < 5; round += 1)
    await Promise.all([first, second].flatMap(({ adminUrl }) => ['orders', 'other'].map((service) => into(adminUrl, service))));
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
