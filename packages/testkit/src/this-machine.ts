import { execFile, spawnSync } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

export interface SmallDisk extends AsyncDisposable {
  fill(): Promise<void>;
  free(): Promise<void>;
}

export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'corner-faults', folder]);
  return {
    ...fillerIn(folder),
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', folder]);
    },
  };
}

export function fillerIn(folder: string): Pick<SmallDisk, 'fill' | 'free'> {
  const filler = `${folder}/filler`;
  return {
    async fill() {
      await using file = await open(filler, 'w');
      for (let size = 1 << 20; size >= 1 << 12; size >>= 1) {
        try {
          for (;;) await file.write(Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    free: () => rm(filler, { force: true }),
  };
}

/** The first `node` of the PATH whose major version differs from this one's and is 20 or later. Undefined when there is none. */
export function otherNode(): { readonly path: string; readonly version: string } | undefined {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory, 'node');
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
    const major = Number(/^v(\d+)/.exec(version)?.[1]);
    if (major >= 20 && `${major}` !== process.versions.node.split('.')[0]) return { path, version };
  }
  return undefined;
}
