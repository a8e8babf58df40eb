import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { nameInRun, urlOfDatabase, urlOfRole, withClient } from './run-database.ts';

export async function fillTemplate(
  postgresUrl: string,
  runId: string,
  folder = servicesFolder,
  migrateAll: MigrateAll = runMigrationPrograms,
): Promise<FilledTemplate> {
  const template = nameInRun(runId, 'template');
  await withClient(postgresUrl, (client) => client.query(`create database ${client.escapeIdentifier(template)} template template0`));
  const adminUrl = urlOfDatabase(postgresUrl, template);
  const names = (await readdir(folder)).filter((service) => existsSync(join(folder, service, 'migrations')));
  const reports = await migrateAll(
    names.map((service) => ({
      service,
      folder: join(folder, service),
      adminUrl,
      roleUrl: urlOfRole(adminUrl, nameInRun(runId, service)),
    })),
  );
  const faultOf = new Map(reports.map(({ service, fault }) => [service, fault]));
  const migrated = names.filter((service) => faultOf.get(service) === null);
  for (const service of migrated) await givePages(adminUrl, service);
  const failed = names.filter((service) => !migrated.includes(service));
  return {
    migrated,
    faults: Object.fromEntries(failed.map((service) => [service, faultOf.get(service) ?? 'the migration program ended early'])),
  };
}

const servicesFolder = resolve(import.meta.dirname, '../../../services');

async function runMigrationPrograms(tasks: readonly ServiceToMigrate[]): Promise<readonly MigrationReport[]> {
  const program = `${import.meta.dirname}/migrate-services.ts`;
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const reports: MigrationReport[] = [];
  const { promise: ended, resolve: end, reject } = Promise.withResolvers<void>();
  child.on('message', (report: MigrationReport) => reports.push(report));
  child.once('error', reject);
  child.once('close', () => end());
  child.send(tasks);
  await ended;
  return reports;
}

type MigrateAll = (tasks: readonly ServiceToMigrate[]) => Promise<readonly MigrationReport[]>;

export interface FilledTemplate {
  readonly migrated: readonly string[];
  readonly faults: Readonly<Record<string, string>>;
}

export interface ServiceToMigrate {
  readonly service: string;
  readonly folder: string;
  readonly adminUrl: string;
  readonly roleUrl: string;
}

export interface MigrationReport {
  readonly service: string;
  readonly fault: string | null;
}

/** The planner assumes that a table without pages is empty, whatever its statistics: a row is inserted and rolled back. */
async function givePages(adminUrl: string, schema: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`begin; set local session_replication_role = replica; ${insertRows(client.escapeLiteral(schema))}; rollback`);
  });
}

const insertRows = (schema: string): string => `
do $$
declare
  found record;
begin
  for found in
    select c.conname, c.conrelid::regclass as name from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.connamespace = to_regnamespace(${schema}) and t.relkind in ('r', 'p') and c.contype <> 't' and not exists (
      select from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey) and a.attidentity <> '' and c.contype = 'n')
    order by c.contype = 'n'
  loop
    execute format('alter table %s drop constraint if exists %I cascade', found.name, found.conname);
  end loop;
  for found in select oid::regclass as name from pg_class where relnamespace = to_regnamespace(${schema}) and relkind = 'r' loop
    execute format('insert into %s default values', found.name);
  end loop;
end $$`;
