import { constants } from 'node:os';
import { z } from 'zod';
import { migrationSettings, readConfig } from './config.ts';
import { type MigrateOptions, migrate } from './database/migrate.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const readMigrationConfig = (env: Environment) => readConfig(z.object(migrationSettings), env);

export async function migrateService(service: string, directory: string, { backbone = true } = {}): Promise<void> {
  endOnSignal(service);
  const warn = (sentence: string) => void process.stderr.write(`${service}: ${sentence}\n`);
  const applied = await migrateWith(process.env, { service, directory, backbone, onWait: warn, onUnknown: warn });
  process.stdout.write(`${service}: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
}

/**
 * Ends the process at once on a signal, which process 1 of a container otherwise ignores, and with a code that is no success. Postgres
 * rolls back uncommitted work, and the next run continues from there.
 */
function endOnSignal(service: string): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      process.stderr.write(`${service}: ended by ${signal} before it was done: run it again\n`);
      process.exit(128 + constants.signals[signal]);
    });
}

/** Migrates a service's schema with the settings of an environment. Returns the names of the applied migrations. */
export async function migrateWith(env: Environment, which: Omit<MigrateOptions, 'adminUrl' | 'roleUrl'>): Promise<readonly string[]> {
  const { MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl } = readMigrationConfig(env);
  return (await migrate({ ...which, adminUrl, roleUrl })).applied;
}
