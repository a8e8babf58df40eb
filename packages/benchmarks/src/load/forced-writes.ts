import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';

const pageBytes = 8192;
/** The size of a segment of Postgres' log, which is reused and so does not grow either. */
const pages = 2048;

export function forceWrites(folder: string, seconds: number): number[] {
  const path = `${folder}/forced-writes`;
  const file = openSync(path, 'w', 0o600);
  const page = Buffer.alloc(pageBytes, 1);
  const write = (i: number) => writeSync(file, page, 0, pageBytes, (i % pages) * pageBytes);
  try {
    for (let i = 0; i < pages; i += 1) write(i);
    fdatasyncSync(file);
    const took: number[] = [];
    for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
      const startedAt = performance.now();
      write(took.length);
      fdatasyncSync(file);
      took.push(performance.now() - startedAt);
    }
    return took;
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
