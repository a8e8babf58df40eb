import { pino } from 'pino';

/** Milliseconds that a line waits to be written together with others. */
const gatherMs = 200;
/** With so many characters the lines wait no longer. */
const gatherCharacters = 8 * 1024;

/** From this level on a line is written at once, with those before it: pino's `error`. */
const urgent = 50;

/** Where pino writes its lines. It sets `lastLevel` before each line, because of the symbol. */
export interface LogOutput {
  readonly [needsLevel]: true;
  lastLevel: number;
  write(line: string): void;
  /** Writes the lines that wait. */
  flush(done?: () => void): void;
  flushSync(): void;
}

const needsLevel = Symbol.for('pino.metadata');

/**
 * Gathers lines and hands them to `write` together: a write for each line costs more than the line. A line waits for at most
 * {@link gatherMs}, and an error not at all. A process killed by SIGKILL loses the lines that wait.
 */
export function gatherLines(write: (text: string) => void): LogOutput {
  let gathered = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    const text = gathered;
    gathered = '';
    if (text !== '') write(text);
  };
  return {
    [needsLevel]: true,
    lastLevel: 0,
    write(line) {
      gathered += line;
      if (this.lastLevel >= urgent || gathered.length >= gatherCharacters) flush();
      else timer ??= setTimeout(flush, gatherMs).unref();
    },
    flush(done) {
      flush();
      done?.();
    },
    flushSync: flush,
  };
}

/** Most bytes of lines that wait while the disk has no room. Further lines are dropped. */
const maxWaitingBytes = 1024 * 1024;

let shared: LogOutput | null = null;

/**
 * Returns the standard output of this process, written in batches and at its exit. A line that cannot be written, because the disk is full
 * or the reader is gone, fails no request.
 */
export function standardOutput(): LogOutput {
  if (shared) return shared;
  const file = pino.destination({ dest: 1, sync: true, maxLength: maxWaitingBytes });
  file.on('error', () => {}); // Without a listener the error would end the process. The next line tries again.
  shared = gatherLines((text) => file.write(text));
  process.on('exit', shared.flushSync);
  return shared;
}
