import { constants } from 'node:os';
import { z } from 'zod';
import { migrationSettings, readConfig } from './config.ts';
import { type MigrateOptions, migrate } from './database/migrate.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const readMigrationConfig = (env: Environment) => readConfig(z.object(migrationSettings), env);

/** Runs a service's migration program: reads its settings, brings its schema up to date and prints what it applied. */
export async function migrateService(service: string, directory: string, { backbone = true } = {}): Promise<void> {
  endOnSignal(service);
  const warn = (sentence: string) => void process.stderr.write(`${service}: ${sentence}\n`);
  const applied = await migrateWith(process.env, { service, directory, backbone, onWait: warn, onUnknown: warn });
  process.stdout.write(`${service}: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
}

/**
 * Ends the process at once on a signal, which process 1 of a container would otherwise ignore, and not as if all were done. Postgres undoes
 * what was not committed, and the next run goes on from there.
 */
function endOnSignal(service: string): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      process.stderr.write(`${service}: ended by ${signal} before it was done: run it again\n`);
      process.exit(128 + constants.signals[signal]);
    });
}

/** Brings a service's schema up to date with the settings of an environment. Returns the names of the migrations that were applied. */
export async function migrateWith(env: Environment, which: Omit<MigrateOptions, 'adminUrl' | 'roleUrl'>): Promise<readonly string[]> {
  const { MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl } = readMigrationConfig(env);
  return (await migrate({ ...which, adminUrl, roleUrl })).applied;
}
