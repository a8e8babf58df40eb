import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { endLeftoverNats, endLeftoverPostgres, identityOf } from '@corner/sandbox';
import { removeContainersOf } from './container-servers.ts';

/** Where runs keep their data: one folder each, named by the id of their process. */
const runsFolder = resolve(import.meta.dirname, '../../../.corner/test');

/** Makes this process's own folder, after clearing away what runs that were killed have left. Answers its path. */
export async function openRunFolder(runs = runsFolder): Promise<string> {
  await mkdir(runs, { recursive: true });
  await sweepDeadRuns(runs);
  const folder = join(runs, String(process.pid));
  await mkdir(folder);
  await writeFile(ownerFile(folder), identityOf(process.pid) ?? '');
  return folder;
}

/** Ends the servers and removes the folders of runs whose process is gone. Answers which. */
export async function sweepDeadRuns(runs = runsFolder): Promise<string[]> {
  const swept: string[] = [];
  for (const name of await readdir(runs)) {
    const folder = join(runs, name);
    if (await isAlive(Number(name), folder)) continue;
    try {
      await closeRunFolder(folder);
      swept.push(name);
    } catch {
      // A container cannot be removed while Docker is away: the folder stays, and a later run tries again.
    }
  }
  return swept;
}

/** Ends whatever still runs on a run's folder, then removes it; another run may be doing the same. */
export async function closeRunFolder(folder: string): Promise<void> {
  await endServersOf(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Any folder in a run's folder may be one that a server was started on, or hold such folders. */
async function endServersOf(folder: string): Promise<void> {
  await removeContainersOf(folder);
  for (const file of await readdir(folder, { recursive: true })) {
    if (basename(file) === 'postmaster.pid') await endLeftoverPostgres(join(folder, dirname(file), '..'));
    if (basename(file) === 'nats.pid') await endLeftoverNats(join(folder, dirname(file)));
  }
}

const ownerFile = (folder: string): string => join(folder, 'owner');

/** A process id is given again in time: what counts is whether it is the same process. */
async function isAlive(pid: number, folder: string): Promise<boolean> {
  const identity = Number.isInteger(pid) ? identityOf(pid) : null;
  if (identity === null) return false;
  // A folder this young has no owner written into it yet.
  if (!existsSync(ownerFile(folder))) return pid !== process.pid;
  return (await readFile(ownerFile(folder), 'utf8')) === identity;
}
