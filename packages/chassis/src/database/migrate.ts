import { setTimeout as pause } from 'node:timers/promises';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { backoffMs } from '../async/backoff.ts';

export interface MigrateOptions {
  /** The service, which is also its schema. */
  readonly service: string;
  /** A role that may create schemas and roles. */
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
  const { backbone = true } = options;
  const role = decodeURIComponent(new URL(options.roleUrl).username);
  const client = new pg.Client({ connectionString: options.adminUrl });
  await client.connect();
  try {
    await retryWhenRaced(client, () => createRole(client, role, decodeURIComponent(new URL(options.roleUrl).password)));
    const applied = [
      ...(backbone ? await run(client, options.service, 'backbone_migrations', `${import.meta.dirname}/../../migrations`) : []),
      ...(await run(client, options.service, 'service_migrations', options.directory)),
    ];
    await retryWhenRaced(client, () => grant(client, options.service, role, backbone));
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
    createSchema: true,
    checkOrder: true,
    advisoryLockMode: 'wait',
    log: () => {},
  });
  return applied.map(({ name }) => name);
}

// XX000 is "tuple concurrently updated"; 42710 and 23505 mean that another migration created the role between our check and our creation.
const raced = new Set(['XX000', '42710', '23505', '40001', '40P01']);

/** Roles belong to the whole server, advisory locks to one database: migrations of two databases may change a role at the same time. */
async function retryWhenRaced(client: pg.Client, work: () => Promise<void>): Promise<void> {
  for (let faults = 0; ; faults += 1) {
    try {
      return await work();
    } catch (error) {
      await client.query('rollback');
      if (faults === 20 || !raced.has((error as { code?: string }).code ?? '')) throw error;
      await pause(backoffMs(Math.min(faults, 3)));
    }
  }
}

async function createRole(client: pg.Client, role: string, password: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  // Postgres has no "create role if not exists", so migrations of two services into one database take turns.
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtext('corner roles'))`);
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await client.query(`create role ${name} login noinherit nosuperuser nocreatedb nocreaterole`);
  await client.query(`alter role ${name} password ${client.escapeLiteral(password)}`);
  await client.query('commit');
}

/**
 * Grants the least a service needs: it may read and write its rows, add and read events but never change them, and see nothing of any
 * other schema. Its prepared statements are planned once: by default the server plans a long statement anew for each call, which costs
 * more than running it.
 */
async function grant(client: pg.Client, schema: string, role: string, backbone: boolean): Promise<void> {
  const s = client.escapeIdentifier(schema);
  const r = client.escapeIdentifier(role);
  await client.query(`
    begin;
    select pg_advisory_xact_lock(hashtext('corner roles'));
    revoke all on schema public from ${r};
    grant usage on schema ${s} to ${r};
    grant select, insert, update, delete on all tables in schema ${s} to ${r};
    ${backbone ? `revoke update, delete, truncate on ${s}.outbox from ${r};` : ''}
    ${backbone ? `revoke delete on ${s}.relay_batch, ${s}.relay_state from ${r};` : ''}
    ${backbone ? `revoke insert, update, delete on ${s}.backbone_migrations from ${r};` : ''}
    revoke insert, update, delete on ${s}.service_migrations from ${r};
    grant usage on all sequences in schema ${s} to ${r};
    revoke execute on all functions in schema ${s} from public;
    grant execute on all functions in schema ${s} to ${r};
    alter role ${r} set search_path = ${s};
    alter role ${r} set statement_timeout = '10s';
    alter role ${r} set lock_timeout = '5s';
    alter role ${r} set enable_seqscan = off;
    alter role ${r} set jit = off;
    alter role ${r} set plan_cache_mode = force_generic_plan;
    alter role ${r} set idle_in_transaction_session_timeout = '15s';
    commit`);
}
