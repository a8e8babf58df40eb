import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { postgresConnection } from './postgres-connection.ts';
import { grantLeast, prepareRole, prepareSchema, roleOf } from './service-role.ts';

export interface MigrateOptions {
  /** The service, which is also its schema. */
  readonly service: string;
  /** A role that may create schemas and roles, or the owner of a schema that an administrator has prepared together with the role. */
  readonly adminUrl: string;
  /** The service's own login; its role is created, and its password set, when absent. */
  readonly roleUrl: string;
  /** Folder of the service's forward-only SQL files. */
  readonly directory: string;
  /** False for a process that neither publishes nor consumes events: its schema has its own tables only. */
  readonly backbone?: boolean;
}

/**
 * Brings a service's schema up to date: the backbone's tables, then its own, then the privileges of its role. Returns the names of the
 * migrations applied now. Several replicas may run it at once: they wait for each other.
 */
export async function migrate(options: MigrateOptions): Promise<{ readonly applied: readonly string[] }> {
  const { service, backbone = true } = options;
  const role = roleOf(options.roleUrl);
  const client = new pg.Client(postgresConnection(options.adminUrl));
  await client.connect();
  try {
    await prepareRole(client, role, service);
    await prepareSchema(client, service);
    const applied = [
      ...(backbone ? await run(client, service, 'backbone_migrations', `${import.meta.dirname}/../../migrations`) : []),
      ...(await run(client, service, 'service_migrations', options.directory)),
    ];
    await grantLeast(client, service, role.name, backbone);
    return { applied };
  } finally {
    await client.end();
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
    advisoryLockMode: 'wait',
    log: () => {},
  });
  return applied.map(({ name }) => name);
}
