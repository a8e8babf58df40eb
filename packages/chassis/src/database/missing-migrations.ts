import { readdir } from 'node:fs/promises';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from './database.ts';

/**
 * Compares the migrations of this build with those applied to the schema. Returns null when all are applied, else a sentence that
 * names the missing ones. `directory` holds the service's own migrations.
 */
export async function missingMigrations(database: Database, directory: string): Promise<string | null> {
  const missing: string[] = [];
  for (const [table, folder] of [
    ['backbone_migrations', `${import.meta.dirname}/../../migrations`],
    ['service_migrations', directory],
  ] as const) {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).map((file) => file.replace(/\.sql$/, ''));
    const applied = new Set(await database.anyFirst(sql.type(z.object({ name: z.string() }))`select name from ${sql.identifier([table])}`));
    missing.push(...files.filter((name) => !applied.has(name)));
  }
  return missing.length === 0 ? null : `migrations not applied: ${missing.join(', ')}`;
}
