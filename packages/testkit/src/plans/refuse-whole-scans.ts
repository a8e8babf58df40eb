import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import type { TestDatabase } from '../test-database.ts';
import { currentTestRun } from '../test-run.ts';
import { allowedScans } from './allowed-scans.ts';
import { planStatements, type Statements } from './plan-statements.ts';

/**
 * Plans those of a service's prepared statements that no other test of this run has planned. Throws, with their names, when a plan reads a
 * whole table that {@link allowedScans} does not list.
 */
export async function refuseWholeScans(database: TestDatabase, schema: string, statements: Statements): Promise<void> {
  const fresh = new Map<string, string>();
  for (const [text, name] of statements) if (await isFirst(schema, name, text)) fresh.set(text, name);
  if (fresh.size === 0) return;
  const faults = (await planStatements(database, schema, fresh)).filter(({ of }) => !allowed.has(of)).map(({ text }) => text);
  if (faults.length > 0) throw new Error(`Statements of ${schema} read whole tables:\n${faults.join('\n')}`);
}

const allowed: ReadonlySet<string> = new Set(allowedScans.flatMap(({ of }) => of));

/** Records that a statement is planned in this run. Returns false when it was before. */
async function isFirst(schema: string, name: string, text: string): Promise<boolean> {
  const folder = `${currentTestRun().folder}/planned`;
  await mkdir(folder, { recursive: true });
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return await writeFile(`${folder}/${schema} ${name} ${digest}`, '', { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
}
