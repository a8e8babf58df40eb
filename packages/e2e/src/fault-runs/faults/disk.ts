import { open, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { canMount, smallDisk } from '../small-disk.ts';

/** A full disk under Postgres. Only root can mount the small file system that it takes. */
export const disk: readonly Fault[] = canMount
  ? [
      {
        name: 'full disk',
        about: 'the file system of Postgres is full for six seconds; where Postgres has ended by then, it is started again with space',
        on: 'small disk',
        async apply({ system, folder }) {
          const filler = `${smallDisk(folder)}/filler`;
          await fill(filler);
          await pause(6_000);
          await rm(filler);
          const ended = await Promise.race([system.postgres.exited.then(() => true), pause(1_000, false)]);
          if (ended) await system.postgres.restart();
        },
      },
    ]
  : [];

/** Writes a file until no space is left. */
async function fill(path: string): Promise<void> {
  await using file = await open(path, 'w');
  for (let size = 1 << 20; size >= 1 << 12; size >>= 1) {
    try {
      for (;;) await file.write(Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}
