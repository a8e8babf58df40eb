import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { loadMigrations } from './load-migrations.ts';
import { postgresConnection } from './postgres-connection.ts';
import { grantLeast, prepareRole, prepareSchema, revokeFromPublic, roleOf } from './service-role.ts';

export interface MigrateOptions {
  readonly service: string;
  /** A role that may create schemas and roles, or the owner of a schema that an administrator has prepared together with the role. */
  readonly adminUrl: string;
  /** The service's own login; its role is created, and its password set, when absent. */
  readonly roleUrl: string;
  readonly directory: string;
  /** False for a process that neither publishes nor consumes events: its schema has its own tables only. */
  readonly backbone?: boolean;
}

/**
 * Brings a schema up to date: the backbone's tables, its own, its role's privileges. Returns the names applied now. Replicas take turns.
 */
export async function migrate(options: MigrateOptions): Promise<{ readonly applied: readonly string[] }> {
  const { service, backbone = true } = options;
  const role = roleOf(options.roleUrl);
  const client = new pg.Client(postgresConnection(options.adminUrl));
  // A connection that is lost ends the statement that it runs, with an error.
  client.on('error', () => {});
  await client.connect();
  try {
    await prepareRole(client, role, service);
    await prepareSchema(client, service);
    await waitForTurn(client);
    const applied = [
      ...(backbone ? await run(client, service, 'backbone_migrations', join(import.meta.dirname, '../../migrations')) : []),
      ...(await run(client, service, 'service_migrations', resolve(options.directory))),
    ];
    await grantLeast(client, service, role.name, backbone);
    await revokeFromPublic(client);
    return { applied };
  } finally {
    await client.end();
  }
}

/** The lock that node-pg-migrate would take. */
const migrationLock = '7241865325823964';
const lookMs = 100;

/** Waits until no other process migrates this database. It polls: a waiting statement would block a concurrent index build. */
async function waitForTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1::bigint) as mine', [migrationLock]);
    if (rows[0]?.mine) return;
    await pause(lookMs);
  }
}

async function run(dbClient: pg.Client, schema: string, migrationsTable: string, dir: string): Promise<string[]> {
  const applied = await runner({
    dbClient,
    dir,
    schema,
    migrationsTable,
    direction: 'up',
    checkOrder: true,
    noLock: true,
    migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadMigrations }],
    log: () => {},
  });
  return applied.map(({ name }) => name);
}
