import { migrate } from '@corner/chassis/migrate';
import { readMigrationConfig } from './config.ts';

const config = readMigrationConfig();
const { applied } = await migrate({
  service: 'gateway',
  adminUrl: config.MIGRATION_DATABASE_URL,
  roleUrl: config.DATABASE_URL,
  directory: `${import.meta.dirname}/../migrations`,
  backbone: false,
});
process.stdout.write(`gateway: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
