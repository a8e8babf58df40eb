import { cpSync, writeFileSync } from 'node:fs';
import { type EmptyDatabase, emptyDatabase, testFolder, until } from '@corner/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { newThing, storeId } from '../testing/platform.ts';
import { migrate } from './migrate.ts';

let stack: AsyncDisposableStack;
let database: EmptyDatabase;
let admin: pg.Client;
let directory: string;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  database = stack.use(await emptyDatabase());
  directory = stack.use(await testFolder()).path;
  cpSync(`${import.meta.dirname}/../testing/migrations/orders`, directory, { recursive: true });
  await apply();
  admin = await connect();
  await admin.query('insert into orders.thing (id, store_id) values ($1, $2)', [newThing(), storeId]);
});
afterEach(() => stack.disposeAsync());

const apply = () =>
  migrate({ service: 'orders', adminUrl: database.adminUrl, roleUrl: database.roleUrl('orders'), directory, backbone: false });

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  stack.defer(() => client.end());
  return client;
}

const buildIndex = () =>
  writeFileSync(
    `${directory}/0900-index.sql`,
    '-- outside a transaction\n-- Built while the table is written to.\ncreate index concurrently thing_store on thing (store_id);\n',
  );

const indexes = async () =>
  (await admin.query(`select indisvalid from pg_index where indexrelid = to_regclass('orders.thing_store')`)).rows;

const builders = async () =>
  (
    await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where query like 'create index concurrently%' and state = 'active'`,
    )
  ).rows;

async function openTransaction(): Promise<pg.Client> {
  const writer = await connect();
  await writer.query('begin');
  await writer.query('insert into orders.thing (id, store_id) values ($1, $2)', [newThing(), storeId]);
  return writer;
}

test('an index whose build was killed halfway is dropped and built again', async () => {
  buildIndex();
  const writer = await openTransaction();
  const killed = apply().then(
    () => null,
    (error: Error) => error,
  );
  const [builder] = await until(async () => ((await indexes()).length > 0 ? await builders() : null), {
    describe: 'the index is half built',
  });
  await admin.query('select pg_terminate_backend($1)', [builder?.pid]);
  expect(await killed).toBeInstanceOf(Error);
  expect(await indexes()).toEqual([{ indisvalid: false }]);
  await writer.query('commit');
  expect((await apply()).applied).toEqual(['0900-index']);
  expect(await indexes()).toEqual([{ indisvalid: true }]);
  expect((await apply()).applied).toEqual([]);
});

test('an index that was built before the process died is kept, and its file is recorded', async () => {
  buildIndex();
  await admin.query('create index thing_store on orders.thing (store_id)');
  const oid = `select 'orders.thing_store'::regclass::oid as oid`;
  const before = (await admin.query(oid)).rows;
  expect((await apply()).applied).toEqual(['0900-index']);
  expect((await admin.query(oid)).rows).toEqual(before);
});

test('processes that migrate at once do not stop the build of an index', async () => {
  buildIndex();
  const writer = await openTransaction();
  const all = [apply(), apply(), apply()];
  await until(async () => (await builders()).length > 0, { describe: 'one of them builds the index' });
  await writer.query('commit');
  expect((await Promise.all(all)).flatMap(({ applied }) => applied)).toEqual(['0900-index']);
});

test('a statement that could not run again after a crash is refused outside a transaction, and files after it run within one again', async () => {
  writeFileSync(`${directory}/0900-column.sql`, '-- outside a transaction\nalter table thing add column note text;\n');
  await expect(apply()).rejects.toThrow('0900-column.sql: outside a transaction only "create index concurrently');
  writeFileSync(`${directory}/0900-column.sql`, 'alter table thing add column note text;\n');
  writeFileSync(`${directory}/0901-index.sql`, '-- outside a transaction\ndrop index concurrently if exists thing_store;\n');
  writeFileSync(`${directory}/0902-fails.sql`, 'alter table thing add column more text;\nselect 1 / 0;\n');
  await expect(apply()).rejects.toThrow('division by zero');
  const { rows } = await admin.query(
    `select attname from pg_attribute where attrelid = 'orders.thing'::regclass and attname in ('note', 'more')`,
  );
  expect(rows).toEqual([{ attname: 'note' }]);
});

test('a file that changes an index twice is refused before anything runs, and two files for it run', async () => {
  const [dropped, built] = [
    'drop index concurrently if exists thing_store;\n',
    'create index concurrently Thing_Store on thing (store_id, id);\n',
  ];
  buildIndex();
  await apply();
  writeFileSync(`${directory}/0901-column.sql`, 'alter table thing add column note text;\n');
  writeFileSync(`${directory}/0902-again.sql`, `-- outside a transaction\n${dropped}${built}`);
  await expect(apply()).rejects.toThrow('0902-again.sql: drops and builds the index thing_store');
  writeFileSync(`${directory}/0902-again.sql`, `-- outside a transaction\n${dropped}`);
  writeFileSync(`${directory}/0903-again.sql`, `-- outside a transaction\n${built}`);
  expect((await apply()).applied).toEqual(['0901-column', '0902-again', '0903-again']);
  expect((await admin.query(`select indnatts from pg_index where indexrelid = 'orders.thing_store'::regclass`)).rows).toEqual([
    { indnatts: 2 },
  ]);
});
