import { services } from '@corner/contracts';
import { type EmptyDatabase, emptyDatabase } from '@corner/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from './migrate.ts';

const owners = [...services, 'gateway'] as const;
const pairs = owners.flatMap((owner) => owners.filter((other) => other !== owner).map((other) => [owner, other] as const));

let database: EmptyDatabase;
let admin: pg.Client;
const logins = new Map<string, pg.Client>();

beforeAll(async () => {
  database = await emptyDatabase();
  for (const service of owners)
    await migrate({
      service,
      adminUrl: database.adminUrl,
      roleUrl: database.roleUrl(service),
      directory: new URL(`../../../../services/${service}/migrations`, import.meta.url).pathname,
      backbone: service !== 'gateway',
    });
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  for (const service of owners) {
    const login = new pg.Client({ connectionString: database.roleUrl(service) });
    await login.connect();
    logins.set(service, login);
  }
});

afterAll(async () => {
  for (const client of [...logins.values(), admin]) await client.end();
  await database[Symbol.asyncDispose]();
});

const as = (service: string): pg.Client => logins.get(service) as pg.Client;
const roleOf = (service: string): string => decodeURIComponent(new URL(database.roleUrl(service)).username);

async function contentsOf(schema: string) {
  const tables = await admin.query<{ name: string; column: string }>(
    `select c.oid::regclass::text as name, (select quote_ident(attname) from pg_attribute where attrelid = c.oid and attnum = 1) as column
     from pg_class c where relnamespace = $1::regnamespace and relkind in ('r', 'p', 'v', 'm') order by 1`,
    [schema],
  );
  const sequences = await admin.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = $1::regnamespace and relkind = 'S'`,
    [schema],
  );
  const functions = await admin.query<{ call: string }>(
    `select format('%s(%s)', oid::regproc, (select string_agg('null::' || t::regtype, ', ') from unnest(proargtypes) as t)) as call
     from pg_proc where pronamespace = $1::regnamespace and prorettype <> 'trigger'::regtype`,
    [schema],
  );
  return { tables: tables.rows, sequences: sequences.rows, functions: functions.rows };
}

async function outcome(client: pg.Client, statement: string): Promise<string> {
  await client.query('begin');
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('rollback');
  }
}

const denied = '42501';

async function notDenied(client: pg.Client, statements: readonly string[]): Promise<readonly string[]> {
  const passed: string[] = [];
  for (const statement of statements) {
    const code = await outcome(client, statement);
    if (code !== denied) passed.push(`${code}: ${statement}`);
  }
  return passed;
}

describe.each(pairs)('the role of %s, in the schema of %s,', (service, other) => {
  test('reads and changes no table, sequence or function', async () => {
    const { tables, sequences, functions } = await contentsOf(other);
    expect(tables.length).toBeGreaterThan(0);
    const statements = [
      ...tables.flatMap(({ name, column }) => [
        `select from ${name}`,
        `insert into ${name} default values`,
        `update ${name} set ${column} = ${column}`,
        `delete from ${name}`,
        `truncate ${name}`,
        `lock table ${name} in access share mode`,
        `copy ${name} to stdout`,
        `alter table ${name} add mine int`,
        `drop table ${name}`,
        `grant select on ${name} to public`,
        `create index on ${name} (${column})`,
      ]),
      ...sequences.flatMap(({ name }) => [`select nextval('${name}')`, `select setval('${name}', 1)`, `select last_value from ${name}`]),
      ...functions.map(({ call }) => `select ${call}`),
    ];
    expect(await notDenied(as(service), statements)).toEqual([]);
  });

  test('creates nothing, and cannot act as its role', async () => {
    const role = pg.escapeIdentifier(roleOf(other));
    const statements = [
      `create table ${other}.mine (id int)`,
      `create function ${other}.mine() returns int language sql as 'select 1'`,
      `create view ${other}.mine as select 1`,
      `create type ${other}.mine as enum ('a')`,
      `alter schema ${other} rename to mine`,
      `drop schema ${other} cascade`,
      `grant usage on schema ${other} to public`,
      `set role ${role}`,
      `set session authorization ${role}`,
      `grant ${role} to current_user`,
      `alter role ${role} password 'mine'`,
      `drop role ${role}`,
      `alter default privileges for role ${role} grant select on tables to public`,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${roleOf(other)}'`,
    ];
    expect(await notDenied(as(service), statements)).toEqual([]);
  });

  test('sees nothing in the catalogues', async () => {
    const shown = await as(service).query(
      `select table_name from information_schema.tables where table_schema = $1
       union all select column_name from information_schema.columns where table_schema = $1
       union all select routine_definition from information_schema.routines where routine_schema = $1 and routine_definition is not null
       union all select tablename from pg_stats where schemaname = $1
       union all select query from pg_stat_activity where usename = $2 and query not in ('', '<insufficient privilege>')`,
      [other, roleOf(other)],
    );
    expect(shown.rows).toEqual([]);
  });

  test('finds no table by a search path', async () => {
    const { tables } = await contentsOf(other);
    const own = new Set((await contentsOf(service)).tables.map(({ name }) => name.split('.')[1]));
    const theirs = tables.map(({ name }) => name.split('.')[1]).find((name) => !own.has(name));
    await as(service).query('begin');
    await as(service).query(`set local search_path = ${other}, ${service}`);
    await expect(as(service).query(`select from ${theirs}`)).rejects.toMatchObject({ code: '42P01' });
    await as(service).query('rollback');
  });
});

describe.each(owners)('the role of %s', (service) => {
  test('creates nothing in public, no temporary table or large object, and no schema, role, database or extension', async () => {
    const statements = [
      'create table public.mine (id int)',
      `create function public.mine() returns int language sql as 'select 1'`,
      'create view public.mine as select 1',
      'create schema mine',
      'create role mine',
      'create extension dblink',
      'create extension postgres_fdw',
      'create publication mine for all tables',
      `alter role current_user superuser`,
      `set role ${pg.escapeIdentifier(new URL(database.adminUrl).username)}`,
      `select pg_read_file('/etc/hostname')`,
      `copy (select 1) to program 'true'`,
      'select pg_switch_wal()',
      'create temporary table mine (id int)',
      'create temporary view mine as select 1',
      'create temporary sequence mine',
      'select lo_creat(-1)',
      'select lo_create(0)',
      `select lo_from_bytea(0, 'mine')`,
      `select lo_import('/etc/hostname')`,
    ];
    expect(await notDenied(as(service), statements)).toEqual([]);
    // Postgres refuses these two inside a transaction block.
    for (const statement of ['create database mine', `alter system set work_mem = '1MB'`])
      await expect(as(service).query(statement)).rejects.toMatchObject({ code: denied });
  });

  test('changes rows of its own schema and never its tables', async () => {
    const { tables } = await contentsOf(service);
    const statements = [
      `create table ${service}.mine (id int)`,
      ...tables.flatMap(({ name }) => [`alter table ${name} add mine int`, `drop table ${name}`, `truncate ${name}`]),
      `delete from ${service}.service_migrations`,
    ];
    expect(await notDenied(as(service), statements)).toEqual([]);
  });
});
