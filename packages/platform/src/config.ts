import { z } from 'zod';

/** A part of a system, and the addresses that its own migration program takes. */
const Part = z.object({ part: z.string(), MIGRATION_DATABASE_URL: z.string(), DATABASE_URL: z.string() });

/** Reads which parts are to be migrated, as the system that starts names them in MIGRATIONS. */
export const readMigrations = (env = process.env): readonly z.infer<typeof Part>[] =>
  z.array(Part).parse(JSON.parse(env.MIGRATIONS ?? '[]'));
