import { migrate } from '@corner/chassis/migrate';
import { readMigrationConfig } from './config.ts';

const config = readMigrationConfig();
const { applied } = await migrate({
  service: 'queue',
  adminUrl: config.MIGRATION_DATABASE_URL,
  roleUrl: config.DATABASE_URL,
  directory: `${import.meta.dirname}/../migrations`,
});
process.stdout.write(`queue: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
