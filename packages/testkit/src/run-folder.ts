import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { endLeftoverNats, endLeftoverPostgres } from '@corner/sandbox/servers';
import { identityOf } from '@corner/sandbox/system';
import { removeContainersOf } from './container-servers.ts';

const runsFolder = resolve(import.meta.dirname, '../../../.corner/test');

export async function openRunFolder(runs = runsFolder): Promise<string> {
  await mkdir(runs, { recursive: true });
  await sweepDeadRuns(runs);
  const folder = join(runs, String(process.pid));
  await mkdir(folder);
  await writeFile(ownerFile(folder), identityOf(process.pid) ?? '');
  return folder;
}

export async function sweepDeadRuns(runs = runsFolder): Promise<string[]> {
  const swept: string[] = [];
  for (const name of await readdir(runs)) {
    const folder = join(runs, name);
    if (await isAlive(Number(name), folder)) continue;
    try {
      await closeRunFolder(folder);
      swept.push(name);
    } catch {
      // A container cannot be removed while Docker is down. The folder stays, and a later run tries again.
    }
  }
  return swept;
}

/** Ends every server that still runs on a run's folder, then removes the folder. Another run may do the same at the same time. */
export async function closeRunFolder(folder: string): Promise<void> {
  await endServersOf(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function endServersOf(folder: string): Promise<void> {
  await removeContainersOf(folder);
  for (const file of await readdir(folder, { recursive: true })) {
    if (basename(file) === 'postmaster.pid') await endLeftoverPostgres(join(folder, dirname(file), '..'));
    if (basename(file) === 'nats.pid') await endLeftoverNats(join(folder, dirname(file)));
  }
}

const ownerFile = (folder: string): string => join(folder, 'owner');

/** Process ids are reused, so the identity of the process is compared too; and the owner file of a new folder may not be written yet. */
async function isAlive(pid: number, folder: string): Promise<boolean> {
  const identity = Number.isInteger(pid) ? identityOf(pid) : null;
  if (identity === null) return false;
  if (!existsSync(ownerFile(folder))) return pid !== process.pid;
  return (await readFile(ownerFile(folder), 'utf8')) === identity;
}
