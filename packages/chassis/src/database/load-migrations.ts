import { readdir, readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { runsOutsideTransaction } from '@corner/contracts';
import type { MigrationBuilder } from 'node-pg-migrate';

/**
 * The statements allowed outside a transaction: each can be seen as done, not done or half done, so the file can run again after a crash.
 */
const build = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?<index>\w+)\s+on\s/i;
const drop = /^drop\s+index\s+concurrently\s+if\s+exists\s+(?<index>\w+)$/i;

export const migrationsIn = async (folder: string): Promise<readonly string[]> =>
  // Without `src/..`: an image has no sources.
  (await readdir(resolve(folder))).filter((file) => file.endsWith('.sql')).map((file) => basename(file, '.sql'));

/** Loads SQL files as migrations. Each runs in a transaction, except those whose first line is `-- outside a transaction`. */
export async function loadMigrations(paths: readonly string[]) {
  return await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'utf8');
      const changes = runsOutsideTransaction(text) ? changesOf(basename(path), text) : null;
      const run = (pgm: MigrationBuilder) => (changes ? changeIndexes(pgm, changes) : pgm.sql(text));
      return { id: path, filePaths: [path], actions: { up: run, down: false as const } };
    }),
  );
}

interface IndexChange {
  readonly statement: string;
  readonly index: string;
  readonly builds: boolean;
}

function changesOf(file: string, text: string): readonly IndexChange[] {
  const changes = statementsOf(text).map((statement) => {
    const built = build.exec(statement)?.groups?.index;
    const index = built ?? drop.exec(statement)?.groups?.index;
    if (index === undefined)
      throw new Error(
        `${file}: outside a transaction only "create index concurrently … on …" and "drop index concurrently if exists …" may run, not "${statement}"`,
      );
    return { statement, index: index.toLowerCase(), builds: built !== undefined };
  });
  for (const [place, { index }] of changes.entries())
    if (changes.findIndex((change) => change.index === index) < place)
      throw new Error(
        `${file}: drops and builds the index ${index}, or does either twice: divide it into two files, one for each statement`,
      );
  return changes;
}

/**
 * Builds and drops indexes while the table is in use. An index left invalid by a process that died is built again; a valid one stays. All
 * are checked before the first statement, so a file may name an index only once.
 */
async function changeIndexes(pgm: MigrationBuilder, changes: readonly IndexChange[]): Promise<void> {
  pgm.noTransaction();
  for (const { statement, index, builds } of changes) {
    const valid = builds ? await stateOf(pgm, index) : null;
    if (valid === true) continue;
    if (valid === false) pgm.sql(`drop index concurrently ${index};`);
    pgm.sql(`${statement};`);
  }
}

const statementsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

async function stateOf({ db }: MigrationBuilder, index: string): Promise<boolean | null> {
  const [found] = (await db.select('select indisvalid from pg_index where indexrelid = to_regclass($1)', [index])) as {
    indisvalid: boolean;
  }[];
  return found?.indisvalid ?? null;
}
