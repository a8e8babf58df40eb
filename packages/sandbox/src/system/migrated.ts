import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { checkout, type ReplicatedPart } from './topology.ts';

export interface Migrations {
  /** Null for another server than the embedded one, which may have been changed meanwhile. */
  readonly dataDir: string | null;
  readonly program: string;
  readonly parts: readonly { readonly part: ReplicatedPart; readonly adminUrl: string }[];
}

const fileIn = (dataDir: string): string => `${dataDir}/postgres/corner-migrated`;

/**
 * Skips `migrate` when exactly these migrations have been made in this data folder before. The digest is of the files before the run: a
 * file saved meanwhile is migrated at the next start.
 */
export async function onceMigrated({ dataDir, ...migrations }: Migrations, migrate: () => Promise<void>): Promise<void> {
  if (dataDir === null) return await migrate();
  const digest = digestOf(migrations);
  if (existsSync(fileIn(dataDir)) && readFileSync(fileIn(dataDir), 'utf8') === digest) return;
  await migrate();
  writeFileSync(fileIn(dataDir), digest);
}

function digestOf({ program, parts }: Omit<Migrations, 'dataDir'>): string {
  const folders = ['packages/chassis', ...parts.map(({ part }) => `services/${part}`)];
  const files = folders.flatMap((folder) => globSync(`${folder}/migrations/*.sql`, { cwd: checkout }).sort());
  const digest = createHash('sha256').update(readFileSync(program));
  for (const file of files) digest.update(`\n${file}\n`).update(readFileSync(`${checkout}/${file}`));
  for (const { part, adminUrl } of parts) digest.update(`\n${part} in ${new URL(adminUrl).pathname}`);
  return digest.digest('hex');
}
