import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceName } from '@corner/contracts';
import { checkout } from '@corner/sandbox/system';
import pg from 'pg';
import type { BenchSystem } from './bench-system.ts';

interface Server {
  readonly databaseUrl: string;
  readonly database: Pick<pg.Pool, 'query'>;
}

export interface OwnDatabase extends AsyncDisposable {
  readonly url: string;
}

export async function makeOwnDatabase({ databaseUrl, database }: Server, service: ServiceName, name: string): Promise<OwnDatabase> {
  await database.query(`create database ${name}`);
  const drop = async () => {
    await database.query(`drop database if exists ${name} with (force)`);
    await database.query(`drop role if exists ${name}`);
  };
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  try {
    await migrate(service, url.href, name);
  } catch (error) {
    await drop();
    throw error;
  }
  url.searchParams.set('options', `-c search_path=${service}`);
  return { url: url.href, [Symbol.asyncDispose]: drop };
}

export async function onOwnDatabase<T>(
  { system, database }: BenchSystem,
  service: ServiceName,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  await using own = await makeOwnDatabase({ databaseUrl: system.databaseUrl, database }, service, `corner_bench_${service}`);
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A login of this database alone, so that the running service's login keeps its password. */
async function migrate(service: ServiceName, adminUrl: string, login: string): Promise<void> {
  const roleUrl = new URL(adminUrl);
  roleUrl.username = login;
  await promisify(execFile)(process.execPath, [`${checkout}/services/${service}/src/migrate.ts`], {
    env: { ...process.env, MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl.href },
  });
}
