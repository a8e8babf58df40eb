import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceName } from '@corner/contracts';
import { checkout } from '@corner/sandbox';
import pg from 'pg';
import type { BenchSystem } from './bench-system.ts';

/** Runs `work` on a new database with the tables of one service, and drops the database afterwards. */
export async function onOwnDatabase<T>(
  { system, database }: BenchSystem,
  service: ServiceName,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const name = `corner_bench_${service}`;
  await database.query(`create database ${name}`);
  const url = new URL(system.databaseUrl);
  url.pathname = `/${name}`;
  try {
    await migrate(service, url.href, name);
    const client = new pg.Client({ connectionString: url.href, options: `-c search_path=${service}` });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await database.query(`drop database if exists ${name} with (force)`);
  }
}

/** Runs the service's migrations with a login of this database, so that the running service's login keeps its password. */
async function migrate(service: ServiceName, adminUrl: string, login: string): Promise<void> {
  const roleUrl = new URL(adminUrl);
  roleUrl.username = login;
  await promisify(execFile)(process.execPath, [`${checkout}/services/${service}/src/migrate.ts`], {
    env: { ...process.env, MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl.href },
  });
}
