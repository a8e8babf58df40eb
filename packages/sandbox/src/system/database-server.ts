import pg from 'pg';
import { startPostgres } from '../servers/postgres.ts';
import type { Ledger } from './ledger.ts';
import { foreignServer, type ServerHandle, startServer } from './server-handle.ts';

export const connectMs = 30_000;

export async function startDatabase(dataDir: string, port: number, ledger: Ledger, given?: string): Promise<ServerHandle> {
  if (given) {
    const began = performance.now();
    return foreignServer('postgres', given, await versionNamed(given), performance.now() - began);
  }
  const folder = `${dataDir}/postgres`;
  return await startServer({
    name: 'postgres',
    port,
    folder,
    ledger,
    begin: async (at) => {
      const running = await startPostgres({ dataFolder: folder, port: at });
      return { ...running, url: await ownDatabase(running.url, 'corner') };
    },
  });
}

export async function ownDatabase(serverUrl: string, name: string): Promise<string> {
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
  return addressOfDatabase(serverUrl, name);
}

export function addressOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

const versionNamed = (given: string): Promise<string> =>
  databaseVersion(given).catch((cause: Error) => {
    throw new Error(`DATABASE_URL: ${cause.message}`, { cause });
  });

export async function databaseVersion(url: string): Promise<string> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<{ version: string }>(`select split_part(current_setting('server_version'), ' ', 1) as version`);
    return rows[0]?.version ?? 'unknown';
  });
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  // The text is not repeated: it may hold a password.
  if (!['postgres:', 'postgresql:'].includes(URL.parse(url)?.protocol ?? ''))
    throw new Error('this is no address of Postgres; one looks like postgres://user:password@host:5432/database');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (cause) {
    throw new Error(
      `Postgres at ${withoutPassword(url)} cannot be reached: ${(cause as Error).message || (cause as { code?: string }).code}`,
      { cause },
    );
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password) url.password = '***';
  return url.href;
}
