import { z } from 'zod';
import { migrationSettings, readConfig } from './config.ts';
import { migrate } from './database/migrate.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const readMigrationConfig = (env: Environment) => readConfig(z.object(migrationSettings), env);

/** Runs a service's migration program: reads its settings, brings its schema up to date and prints what it applied. */
export async function migrateService(service: string, directory: string, { backbone = true } = {}): Promise<void> {
  const applied = await migrateWith(process.env, { service, directory, backbone });
  process.stdout.write(`${service}: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
}

/** Brings a service's schema up to date with the settings of an environment. Returns the names of the migrations that were applied. */
export async function migrateWith(
  env: Environment,
  which: { readonly service: string; readonly directory: string; readonly backbone: boolean },
): Promise<readonly string[]> {
  const { MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl } = readMigrationConfig(env);
  return (await migrate({ ...which, adminUrl, roleUrl })).applied;
}
