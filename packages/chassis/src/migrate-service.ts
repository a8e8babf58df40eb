import { z } from 'zod';
import { migrationSettings, readConfig } from './config.ts';
import { migrate } from './database/migrate.ts';

export const readMigrationConfig = (env: Readonly<Record<string, string | undefined>>) => readConfig(z.object(migrationSettings), env);

/** Runs a service's migration program: reads its settings, brings its schema up to date and prints what it applied. */
export async function migrateService(service: string, directory: string, { backbone = true } = {}): Promise<void> {
  const { MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl } = readMigrationConfig(process.env);
  const { applied } = await migrate({ service, adminUrl, roleUrl, directory, backbone });
  process.stdout.write(`${service}: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
}
