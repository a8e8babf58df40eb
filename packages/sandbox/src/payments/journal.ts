import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import type { Thing } from './books.ts';

export interface Journal {
  readonly kept: readonly Thing[];
  /**
   * All the changes of one request are one line. Throws when it cannot be written, and leaves the file as it was: a full disk may have
   * taken part of it.
   */
  write(changes: readonly Thing[]): void;
  close(): void;
}

/** Removes an incomplete last line. Only one process may write to the file at a time. */
export function openJournal(file: string): Journal {
  const latest = new Map<string, Thing>();
  for (const changes of readLines(file)) for (const thing of changes) latest.set(`${thing.object} ${thing.id}`, thing);
  const kept = [...latest.values()];

  const fresh = `${file}.new`;
  writeFileSync(fresh, kept.map((thing) => `${JSON.stringify([thing])}\n`).join(''), { mode: 0o600 });
  renameSync(fresh, file);
  const descriptor = openSync(file, 'a', 0o600);
  return {
    kept,
    write(changes) {
      const { size } = fstatSync(descriptor);
      try {
        appendFileSync(descriptor, `${JSON.stringify(changes)}\n`);
      } catch (error) {
        ftruncateSync(descriptor, size);
        throw error;
      }
    },
    close: () => closeSync(descriptor),
  };
}

function* readLines(file: string): Generator<readonly Thing[]> {
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  lines.pop();
  for (const line of lines) yield JSON.parse(line) as readonly Thing[];
}
