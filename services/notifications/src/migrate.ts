import { migrate } from '@corner/chassis/migrate';
import { readMigrationConfig } from './config.ts';

const settings = readMigrationConfig();
const { applied } = await migrate({
  service: 'notifications',
  adminUrl: settings.MIGRATION_DATABASE_URL,
  roleUrl: settings.DATABASE_URL,
  directory: `${import.meta.dirname}/../migrations`,
});
process.stdout.write(`notifications: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
