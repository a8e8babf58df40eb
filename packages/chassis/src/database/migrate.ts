import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { loadMigrations, migrationsIn } from './load-migrations.ts';
import { endWhenSilent, keptAlive } from './lock-client.ts';
import { postgresConnection } from './postgres-connection.ts';
import { grantLeast, prepareRole, prepareSchema, revokeFromPublic, roleOf } from './service-role.ts';

/**
 * `adminUrl` names a role that may create schemas and roles, or the owner of a schema that an administrator has prepared together with the
 * role. `roleUrl` is the service's own login, created when absent. `backbone` is false for a process that neither publishes nor consumes
 * events: its schema has only its own tables. `onWait` is called at once and every ten seconds while another process migrates. `onUnknown`
 * is called before anything is applied when the schema has migrations without a file here, as those of a newer version: old code runs on a
 * newer schema, so migrating continues unless it throws.
 */
export interface MigrateOptions {
  readonly service: string;
  readonly adminUrl: string;
  readonly roleUrl: string;
  readonly directory: string;
  readonly backbone?: boolean;
  readonly onWait?: (sentence: string) => void;
  readonly onUnknown?: (sentence: string) => void;
}

/**
 * Brings a schema up to date: the backbone's tables, its own, its role's privileges. Returns the names applied now. Replicas take turns.
 */
export async function migrate(options: MigrateOptions): Promise<{ readonly applied: readonly string[] }> {
  const { service, backbone = true, onWait = () => {}, onUnknown = () => {} } = options;
  const folders = {
    ...(backbone ? { backbone_migrations: join(import.meta.dirname, '../../migrations') } : {}),
    service_migrations: resolve(options.directory),
  };
  const role = roleOf(options.roleUrl);
  const client = new pg.Client(keptAlive(postgresConnection(options.adminUrl), `${service} migrations`));
  client.on('error', () => {});
  await client.connect();
  try {
    await endWhenSilent(client);
    await prepareRole(client, role, service);
    await prepareSchema(client, service);
    await waitForTurn(client, onWait);
    const unknown: string[] = [];
    for (const [table, folder] of Object.entries(folders)) unknown.push(...(await unknownIn(client, service, table, folder)));
    if (unknown.length > 0) onUnknown(`the schema has migrations that this version lacks: ${few(unknown)}`);
    const applied: string[] = [];
    for (const [table, folder] of Object.entries(folders)) applied.push(...(await run(client, service, table, folder)));
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
const looksPerSentence = 100;

/** Waits until no other process migrates this database. It polls, because a waiting statement would block a concurrent index build. */
async function waitForTurn(client: pg.Client, onWait: (sentence: string) => void): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1::bigint) as mine', [migrationLock]);
    if (rows[0]?.mine) return;
    if (looks % looksPerSentence === 0) onWait(await describeHolder(client));
    await pause(lookMs);
  }
}

interface Holder {
  readonly pid: number;
  readonly name: string | null;
  readonly address: string | null;
  readonly since: string | null;
  readonly doing: string | null;
}

async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Holder>(
    `select a.pid, nullif(a.application_name, '') as name, host(a.client_addr) as address, to_char(a.backend_start, 'YYYY-MM-DD HH24:MI:SS TZ') as since,
       a.state || ' for ' || extract(epoch from clock_timestamp() - a.state_change)::int || ' s' as doing
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and ((l.classid::bigint << 32) | l.objid::bigint) = $1::bigint
       and l.database = (select oid from pg_database where datname = current_database())`,
    [migrationLock],
  );
  const [holder] = rows;
  if (!holder) return 'waiting for another migration of this database, which ends just now';
  const { pid, name, address, since, doing } = holder;
  const facts = [`session ${pid}`, address && `from ${address}`, since && `since ${since}`, doing].filter(Boolean).join(', ');
  return `waiting for ${name ?? 'another migration'} (${facts}). If its process is gone: select pg_terminate_backend(${pid})`;
}

async function unknownIn(client: pg.Client, schema: string, table: string, folder: string): Promise<readonly string[]> {
  const path = `${client.escapeIdentifier(schema)}.${table}`;
  const { rows: there } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [path]);
  if (!there[0]?.found) return [];
  const known = await migrationsIn(folder);
  const { rows } = await client.query<{ name: string }>(`select name from ${path} where name <> all ($1) order by name`, [known]);
  return rows.map(({ name }) => name);
}

const few = (names: readonly string[]): string => (names.length < 4 ? names.join(', ') : `${names[0]} and ${names.length - 1} more`);

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
