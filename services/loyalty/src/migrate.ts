import { migrate } from '@corner/chassis/migrate';
import { readMigrationConfig } from './config.ts';

const settings = readMigrationConfig();
const directory = `${import.meta.dirname}/../migrations`;
const { applied } = await migrate({
  service: 'loyalty',
  adminUrl: settings.MIGRATION_DATABASE_URL,
  roleUrl: settings.DATABASE_URL,
  directory,
});
process.stdout.write(`loyalty: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
