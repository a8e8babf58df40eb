import { sql } from 'slonik';
import { z } from 'zod';
import type { Queries } from './database.ts';
import { migrationsIn } from './load-migrations.ts';

const Applied = z.object({ by: z.enum(['backbone', 'service']), name: z.string() });

/** Returns a sentence that names the migrations not yet applied; null when all are. `directory` holds the service's own. */
export async function missingMigrations(database: Queries, directory: string): Promise<string | null> {
  const built = {
    backbone: await migrationsIn(`${import.meta.dirname}/../../migrations`),
    service: await migrationsIn(directory),
  };
  const applied = await database.any(sql.type(Applied)`
    select 'backbone' as by, name from backbone_migrations union all select 'service', name from service_migrations`);
  const missing = (['backbone', 'service'] as const).flatMap((by) =>
    built[by].filter((name) => !applied.some((one) => one.by === by && one.name === name)),
  );
  return missing.length === 0 ? null : `migrations not applied: ${missing.join(', ')}`;
}
