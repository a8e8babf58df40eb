import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { backoffMs } from '../async/waiting.ts';

export interface ServiceRole {
  readonly name: string;
  readonly password: string;
}

export const roleOf = (roleUrl: string): ServiceRole => {
  const { username, password } = new URL(roleUrl);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
};

// XX000 is "tuple concurrently updated"; 42710 and 23505 mean that another migration created the role between our check and our creation.
const raced = new Set(['XX000', '42710', '23505', '40001', '40P01']);
const denied = '42501';

/**
 * Roles belong to the whole server and advisory locks to one database, so migrations of two databases may change a role at the same time:
 * raced changes are retried. Migrations into one database take turns, since Postgres has no "create role if not exists".
 */
async function inTurn(client: pg.Client, statements: () => Promise<void>): Promise<void> {
  for (let faults = 0; ; faults += 1) {
    try {
      await client.query('begin');
      await client.query(`select pg_advisory_xact_lock(hashtext('corner roles'))`);
      await statements();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (faults === 20 || !raced.has((error as { code?: string }).code ?? '')) throw error;
      await pause(backoffMs(Math.min(faults, 3)));
    }
  }
}

/**
 * Creates the service's role and sets its password and settings. Without the privilege, throws the statements for an administrator to run.
 */
export async function prepareRole(client: pg.Client, { name, password }: ServiceRole, schema: string): Promise<void> {
  const role = client.escapeIdentifier(name);
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  const create = `create role ${role} login noinherit nosuperuser nocreatedb nocreaterole`;
  const settings = settingsOf(client.escapeIdentifier(schema)).map((setting) => `alter role ${role} set ${setting}`);
  try {
    await inTurn(client, async () => {
      const { rowCount: found } = await client.query('select 1 from pg_roles where rolname = $1', [name]);
      if (found === 0) await client.query(create);
      await client.query(`alter role ${role} password ${client.escapeLiteral(password)}`);
      for (const setting of settings) await client.query(setting);
    });
  } catch (error) {
    if ((error as { code?: string }).code !== denied) throw error;
    const missing = rowCount === 0 ? [`${create} password '…'`, ...settings] : await missingSettings(client, name, settings);
    if (missing.length > 0) throw needsAdministrator('make the role of this service', missing, error);
  }
}

/** Prepared statements are planned once: by default the server plans a long one again for each call, which costs more than running it. */
const settingsOf = (schema: string): string[] => [
  `search_path = ${schema}`,
  `statement_timeout = '10s'`,
  `lock_timeout = '5s'`,
  'enable_seqscan = off',
  'jit = off',
  'plan_cache_mode = force_generic_plan',
  `idle_in_transaction_session_timeout = '15s'`,
];

async function missingSettings(client: pg.Client, name: string, statements: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ setting: string }>(
    'select unnest(s.setconfig) as setting from pg_db_role_setting s join pg_roles r on r.oid = s.setrole where r.rolname = $1',
    [name],
  );
  const present = new Set(rows.map(({ setting }) => setting.split('=')[0]));
  return statements.filter((statement) => !present.has(/ set (\w+) =/.exec(statement)?.[1]));
}

/** Creates a missing schema. `create schema if not exists` fails for a role that may not create one, even where the schema exists. */
export async function prepareSchema(client: pg.Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (rowCount !== 0) return;
  const s = client.escapeIdentifier(schema);
  try {
    await inTurn(client, () => client.query(`create schema if not exists ${s}`).then(() => {}));
  } catch (error) {
    if ((error as { code?: string }).code !== denied) throw error;
    throw needsAdministrator('create schemas', [`create schema ${s} authorization ${await ownName(client)}`], error);
  }
}

async function ownName(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_user) as name');
  return rows[0]?.name ?? '';
}

const makersOfLargeObjects = ['lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import'];

/**
 * Takes from PUBLIC the privileges that no service needs and that could fill the disk: temporary tables where the role owns the database,
 * and large objects where it owns their functions, as a superuser does. Elsewhere an administrator does it.
 */
export async function revokeFromPublic(client: pg.Client): Promise<void> {
  await inTurn(client, async () => {
    const { rows } = await client.query<{ statement: string }>(
      `select format('revoke temporary on database %I from public', datname) as statement
       from pg_database where datname = current_database() and pg_has_role(datdba, 'USAGE') and has_database_privilege('public', oid, 'TEMPORARY')
       union all
       select format('revoke execute on function %s from public', oid::regprocedure)
       from pg_proc
       where pronamespace = 'pg_catalog'::regnamespace and proname = any($1) and pg_has_role(proowner, 'USAGE')
         and has_function_privilege('public', oid, 'EXECUTE')`,
      [makersOfLargeObjects],
    );
    for (const { statement } of rows) await client.query(statement);
  });
}

/** Grants the least a service needs: its own rows, and events that it may add and read but never change. */
export async function grantLeast(client: pg.Client, schema: string, role: string, backbone: boolean): Promise<void> {
  const s = client.escapeIdentifier(schema);
  const r = client.escapeIdentifier(role);
  await inTurn(client, async () => {
    // Another owner's schema has nothing to revoke, and Postgres 15 and newer grant nothing in it by default.
    const { rows } = await client.query<{ ours: boolean }>(
      `select pg_has_role(nspowner, 'USAGE') as ours from pg_namespace where nspname = 'public'`,
    );
    if (rows[0]?.ours) await client.query(`revoke all on schema public from ${r}`);
    await client.query(`
      grant usage on schema ${s} to ${r};
      grant select, insert, update, delete on all tables in schema ${s} to ${r};
      ${backbone ? `revoke update, delete, truncate on ${s}.outbox from ${r};` : ''}
      ${backbone ? `revoke delete on ${s}.relay_batch, ${s}.relay_state from ${r};` : ''}
      ${backbone ? `revoke insert, update, delete on ${s}.backbone_migrations from ${r};` : ''}
      revoke insert, update, delete on ${s}.service_migrations from ${r};
      grant usage on all sequences in schema ${s} to ${r};
      revoke execute on all functions in schema ${s} from public;
      grant execute on all functions in schema ${s} to ${r}`);
  });
}

const needsAdministrator = (what: string, statements: readonly string[], cause: unknown): Error =>
  new Error(
    `The role of MIGRATION_DATABASE_URL may not ${what}. An administrator runs:\n${statements.map((text) => `  ${text};`).join('\n')}`,
    {
      cause,
    },
  );
