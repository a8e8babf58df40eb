import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { checkout, type ReplicatedPart } from './topology.ts';

/** The databases of a data folder, and what brings them up to date. */
export interface Migrations {
  /** The data folder that the embedded Postgres has; null where the server is another's, which anyone may have changed. */
  readonly dataDir: string | null;
  /** The one file of the program that migrates. */
  readonly program: string;
  readonly parts: readonly { readonly part: ReplicatedPart; readonly adminUrl: string }[];
}

// Within the folder of the databases, so that who deletes them deletes this.
const fileIn = (dataDir: string): string => `${dataDir}/postgres/corner-migrated`;

/** Returns whether exactly these migrations have been made in this data folder, which makes the program's look at every schema needless. */
export function isMigrated({ dataDir, ...migrations }: Migrations): boolean {
  if (dataDir === null) return false;
  try {
    return readFileSync(fileIn(dataDir), 'utf8') === digestOf(migrations);
  } catch {
    return false;
  }
}

/** Keeps that these migrations have been made. */
export function noteMigrated({ dataDir, ...migrations }: Migrations): void {
  if (dataDir !== null) writeFileSync(fileIn(dataDir), digestOf(migrations));
}

/** A hash of the program, of the statements that it reads, and of which parts are in which databases. */
function digestOf({ program, parts }: Omit<Migrations, 'dataDir'>): string {
  const folders = ['packages/chassis', ...parts.map(({ part }) => `services/${part}`)];
  const files = folders.flatMap((folder) => globSync(`${folder}/migrations/*.sql`, { cwd: checkout }).sort());
  const digest = createHash('sha256').update(readFileSync(program));
  for (const file of files) digest.update(`\n${file}\n`).update(readFileSync(`${checkout}/${file}`));
  for (const { part, adminUrl } of parts) digest.update(`\n${part} in ${new URL(adminUrl).pathname}`);
  return digest.digest('hex');
}
