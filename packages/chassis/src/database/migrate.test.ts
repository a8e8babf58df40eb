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

test('applied twice, also by two at once, a migration runs once', async () => {
  const again = () =>
    migrate({
      service: 'orders',
      adminUrl: platform.database.adminUrl,
      roleUrl: platform.database.roleUrl('orders'),
      directory: `${import.meta.dirname}/../testing/migrations/orders`,
    });
  const both = await Promise.all([again(), again()]);
  expect(both.map(({ applied }) => applied)).toEqual([[], []]);
});

test('the same role is made and granted in several databases at once', async () => {
  await using first = await emptyDatabase();
  await using second = await emptyDatabase();
  const roleUrl = first.roleUrl('orders');
  const into = (adminUrl: string, service: string) =>
    migrate({ service, adminUrl, roleUrl, directory: `${import.meta.dirname}/../testing/migrations/orders` });
  // Locks are a database's own, and roles are the whole server's: each of these changes the role under the others.
  for (let round = 0; round < 5; round += 1)
    await Promise.all([first, second].flatMap(({ adminUrl }) => ['orders', 'other'].map((service) => into(adminUrl, service))));
});

test('a service may change its own rows', async () => {
  await client.query('insert into thing (id, store_id) values ($1, $2)', [newThing(), storeId]);
  expect((await client.query('select 1 from thing')).rowCount).toBe(1);
});

test.each([
  ['change an event it told', `update outbox set data = '{}'`],
  ['unsay an event', 'delete from outbox'],
  ['read another service’s schema', 'select * from loyalty.effect'],
  ['rewrite the record of migrations', 'delete from service_migrations'],
  ['make tables', 'create table mine (id int)'],
  ['make tables for all', 'create table public.mine (id int)'],
])('a service may not %s', async (_, statement) => {
  await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
});
