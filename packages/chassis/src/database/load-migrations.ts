import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MigrationBuilder } from 'node-pg-migrate';

/** The first line of a file whose statements run outside a transaction. */
const outside = '-- outside a transaction';
/** The statements that may: whether each is done, not done or half done can be seen, so that the file can run again after a crash. */
const build = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?<index>\w+)\s+on\s/i;
const drop = /^drop\s+index\s+concurrently\s+if\s+exists\s+\w+$/i;

/** Loads SQL files as migrations. Each is run in a transaction, but for those that begin with `-- outside a transaction`. */
export async function loadMigrations(paths: readonly string[]) {
  return await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'utf8');
      const run = (pgm: MigrationBuilder) => (text.startsWith(outside) ? changeIndexes(pgm, basename(path), text) : pgm.sql(text));
      return { id: path, filePaths: [path], actions: { up: run, down: false as const } };
    }),
  );
}

/**
 * Builds and drops indexes while the table is written to. An index that a process left half built when it died is invalid: it is dropped and
 * built again. One that was built, and whose file was not recorded, stays.
 */
async function changeIndexes(pgm: MigrationBuilder, file: string, text: string): Promise<void> {
  pgm.noTransaction();
  for (const statement of statementsOf(text)) {
    const index = build.exec(statement)?.groups?.index;
    if (index === undefined && !drop.test(statement))
      throw new Error(
        `${file}: outside a transaction only "create index concurrently … on …" and "drop index concurrently if exists …" may run, not "${statement}"`,
      );
    const valid = index === undefined ? null : await stateOf(pgm, index);
    if (valid === true) continue;
    if (valid === false) pgm.sql(`drop index concurrently ${index};`);
    pgm.sql(`${statement};`);
  }
}

/** The statements of such a file, without comments. None of them has a quoted semicolon. */
const statementsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

/** Whether an index of the schema is valid; null when there is none of this name. */
async function stateOf({ db }: MigrationBuilder, index: string): Promise<boolean | null> {
  const [found] = (await db.select('select indisvalid from pg_index where indexrelid = to_regclass($1)', [index])) as {
    indisvalid: boolean;
  }[];
  return found?.indisvalid ?? null;
}
