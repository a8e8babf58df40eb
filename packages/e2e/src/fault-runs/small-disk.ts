import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether this process may mount a file system. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** Where the system of a stage keeps Postgres. */
export const smallDisk = (folder: string): string => `${folder}/system/postgres`;

/** Mounts a file system of 400 MB in memory there, until disposal. */
export async function mountSmallDisk(folder: string): Promise<AsyncDisposable> {
  const path = smallDisk(folder);
  await mkdir(path, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'corner-faults', path]);
  return {
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', path]);
    },
  };
}
