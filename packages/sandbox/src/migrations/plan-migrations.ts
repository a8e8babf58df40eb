import { readdirSync, readFileSync } from 'node:fs';
import { runsOutsideTransaction, type ServiceName } from '@corner/contracts';
import type pg from 'pg';
import { ownDatabase, withClient } from '../system/database-server.ts';
import { checkout, folderOf } from '../system/topology.ts';
import { locksOf, splitStatements, type TableLock } from './locks.ts';

export interface PlanOptions {
  readonly service: ServiceName | 'gateway';
  readonly databaseUrl: string;
  readonly scratchUrl: string;
}

interface PlannedStatement {
  readonly statement: string;
  readonly locks: readonly (TableLock & {
    /** An estimate; null when the rows were never counted. */ readonly rows: number | null;
  })[];
}

export interface PlannedMigration {
  readonly file: string;
  readonly transaction: boolean;
  readonly statements: readonly PlannedStatement[];
}

/**
 * Returns the migrations that would run on a database, in order, with the locks of each statement on tables that exist before it. Only
 * reads the database itself.
 */
export async function planMigrations({ service, databaseUrl, scratchUrl }: PlanOptions): Promise<readonly PlannedMigration[]> {
  const folders = [
    ...(service === 'gateway' ? [] : [{ table: 'backbone_migrations', folder: `${checkout}/packages/chassis/migrations` }]),
    { table: 'service_migrations', folder: `${folderOf(service)}/migrations` },
  ];
  const { applied, rows } = await withClient(databaseUrl, async (client) => ({
    applied: new Set((await Promise.all(folders.map(({ table }) => appliedIn(client, `${service}.${table}`)))).flat()),
    rows: await rowsOf(client, service),
  }));
  const files = folders.flatMap(({ table, folder }) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => ({ path: `${folder}/${file}`, done: applied.has(`${service}.${table} ${file.replace(/\.sql$/, '')}`) })),
  );
  const pending = files.filter(({ done }) => !done);
  if (pending.length === 0) return [];
  return await withClient(await ownDatabase(scratchUrl, `plan_${service}`), async (client) => {
    await client.query(`create schema "${service}"; set search_path to "${service}"`);
    for (const { path } of files.filter(({ done }) => done)) await runAll(client, readFileSync(path, 'utf8'));
    const planned: PlannedMigration[] = [];
    for (const { path } of pending) planned.push(await planFile(client, service, path, rows));
    return planned;
  });
}

async function appliedIn(client: pg.Client, table: string): Promise<readonly string[]> {
  const { rows: found } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!found[0]?.there) return [];
  return (await client.query<{ name: string }>(`select name from ${table}`)).rows.map(({ name }) => `${table} ${name}`);
}

async function rowsOf(client: pg.Client, schema: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; rows: number }>(
    'select relname as name, reltuples::float8 as rows from pg_class where relnamespace = to_regnamespace($1)::oid and reltuples >= 0',
    [schema],
  );
  return new Map(rows.map((table) => [table.name, table.rows]));
}

async function runAll(client: pg.Client, sql: string): Promise<void> {
  for (const part of runsOutsideTransaction(sql) ? splitStatements(sql) : [sql]) await client.query(part);
}

async function planFile(client: pg.Client, schema: string, path: string, rows: ReadonlyMap<string, number>): Promise<PlannedMigration> {
  const sql = readFileSync(path, 'utf8');
  const statements: PlannedStatement[] = [];
  for (const statement of splitStatements(sql)) {
    const locks = await locksOf(client, schema, statement, !runsOutsideTransaction(sql));
    statements.push({ statement, locks: locks.map((lock) => ({ ...lock, rows: rows.get(lock.table) ?? null })) });
  }
  return { file: path.slice(checkout.length + 1), transaction: !runsOutsideTransaction(sql), statements };
}
