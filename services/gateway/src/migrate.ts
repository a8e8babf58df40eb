import { migrate, readConfig } from '@corner/chassis';
import { z } from 'zod';

const settings = readConfig(z.object({ MIGRATION_DATABASE_URL: z.url(), DATABASE_URL: z.url() }), process.env);
const { applied } = await migrate({
  service: 'gateway',
  adminUrl: settings.MIGRATION_DATABASE_URL,
  roleUrl: settings.DATABASE_URL,
  directory: `${import.meta.dirname}/../migrations`,
  backbone: false,
});
process.stdout.write(`gateway: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
