import { z } from 'zod';

const Part = z.object({ part: z.string(), MIGRATION_DATABASE_URL: z.string(), DATABASE_URL: z.string() });

export const readMigrations = (env = process.env): readonly z.infer<typeof Part>[] =>
  z.array(Part).parse(JSON.parse(env.MIGRATIONS ?? '[]'));
