import { readMigrations } from './config.ts';
import { migratePart } from './migrate-part.ts';

// Migrates the schemas of all parts of a system one after another. In production each part has its own program.
for (const { part, ...env } of readMigrations())
  await migratePart(part, env).catch((cause: unknown) => {
    throw new Error(`the migrations of ${part} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
