import { migrate, readConfig } from '@corner/chassis';
import { z } from 'zod';

const settings = readConfig(z.object({ MIGRATION_DATABASE_URL: z.url(), DATABASE_URL: z.url() }), process.env);
const directory = `${import.meta.dirname}/../migrations`;
const { applied } = await migrate({
  service: 'orders',
  adminUrl: settings.MIGRATION_DATABASE_URL,
  roleUrl: settings.DATABASE_URL,
  directory,
});
process.stdout.write(`orders: ${applied.length === 0 ? 'migrations current' : `applied ${applied.join(', ')}`}\n`);
