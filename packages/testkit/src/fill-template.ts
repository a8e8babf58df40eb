import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { givePages } from './plans/give-pages.ts';
import { nameInRun, urlOfDatabase, urlOfRole, withClient } from './run-database.ts';

/**
 * Makes the template database that tests clone, with the schema of every service that has a folder of migrations. When
 * the migrations of a service fail, `faults` says why, and the other services are migrated all the same.
 */
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

/** Runs, for each service, the program with which an operator migrates it: `src/migrate.ts`. */
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
  /** Why the migrations of a service failed. Its own tests fail with this text; the other services' tests run. */
  readonly faults: Readonly<Record<string, string>>;
}

export interface ServiceToMigrate {
  readonly service: string;
  /** The service's folder. */
  readonly folder: string;
  /** The superuser's address of the database. */
  readonly adminUrl: string;
  /** The address the service is to log in with; its role does not exist yet. */
  readonly roleUrl: string;
}

/** The report on one service. `fault` is null when its migrations succeeded. */
export interface MigrationReport {
  readonly service: string;
  readonly fault: string | null;
}
