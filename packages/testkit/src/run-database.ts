import { createHmac } from 'node:crypto';
import pg from 'pg';

export const nameInRun = (runId: string, what: string): string => `corner_test_${runId}_${what}`;

export function urlOfDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The password of a role is derived from the superuser's, so every process knows it and none stores it. */
export function urlOfRole(adminUrl: string, role: string): string {
  const url = new URL(adminUrl);
  url.password = createHmac('sha256', decodeURIComponent(url.password)).update(role).digest('hex').slice(0, 32);
  url.username = role;
  return url.href;
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'corner tests' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function dropAllNamed(client: pg.Client, prefix: string): Promise<void> {
  const databases = await client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [prefix]);
  for (const { datname } of databases.rows) await client.query(`drop database if exists ${client.escapeIdentifier(datname)} with (force)`);
  const roles = await client.query<{ rolname: string }>('select rolname from pg_roles where starts_with(rolname, $1)', [prefix]);
  for (const { rolname } of roles.rows) await client.query(`drop role if exists ${client.escapeIdentifier(rolname)}`);
}
