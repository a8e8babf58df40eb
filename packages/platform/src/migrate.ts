import { readMigrations } from './config.ts';
import { migratePart } from './migrate-part.ts';

// Brings the schemas of all parts of a system up to date, one after another. In production each part has a program of its own.
for (const { part, ...env } of readMigrations())
  await migratePart(part, env).catch((cause: unknown) => {
    throw new Error(`the migrations of ${part} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
