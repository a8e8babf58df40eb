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
  /** Appends one line: all the changes of one request. Throws when it cannot be written, and leaves the file as it was. */
  write(changes: readonly Thing[]): void;
  close(): void;
}

/** Opens the file that keeps the books, and removes an incomplete last line. Only one process may write to it at a time. */
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
        // A full disk may have taken part of this line; the next one must not be joined to it.
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
  // Text after the last line end was being written when the process died.
  lines.pop();
  for (const line of lines) yield JSON.parse(line) as readonly Thing[];
}
