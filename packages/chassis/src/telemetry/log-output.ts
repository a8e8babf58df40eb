import { pino } from 'pino';
import { perProgram } from '../async/per-program.ts';

const gatherMs = 200;
const gatherCharacters = 8 * 1024;

/** From this level on, pino's `error`, a line is written at once, with those before it. */
const urgent = 50;

/** pino sets `lastLevel` before each line, because of the symbol. */
export interface LogOutput {
  readonly [needsLevel]: true;
  lastLevel: number;
  write(line: string): void;
  flush(done?: () => void): void;
  flushSync(): void;
}

const needsLevel = Symbol.for('pino.metadata');

/**
 * Gathers lines for at most {@link gatherMs}, errors not at all: writing each costs more than the line. SIGKILL loses the waiting lines.
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

const maxWaitingBytes = 1024 * 1024;

let shared: LogOutput | null = null;

/** Writes in batches and at exit. A line that cannot be written fails no request. */
export function standardOutput(): LogOutput {
  if (shared) return shared;
  const file = pino.destination({ dest: 1, sync: true, maxLength: maxWaitingBytes });
  file.on('error', () => {}); // Without a listener the error would end the process. The next line tries again.
  shared = gatherLines((text) => file.write(text));
  process.on('exit', shared.flushSync);
  return shared;
}

interface Lines {
  output: LogOutput | null;
  take: ((line: string) => void) | null;
}

const lines = perProgram((): Lines => ({ output: null, take: null }));

export function writeLinesTo(output: LogOutput): void {
  lines().output = output;
}

export function alsoTakeLines(take: (line: string) => void): void {
  lines().take = take;
}

export const ownOutput = (): LogOutput => lines().output ?? standardOutput();

/** Returns the default of a new log: the program's output, and the taker of {@link alsoTakeLines}, which gets each line after it. */
export function defaultOutput(): LogOutput {
  const output = ownOutput();
  const { take } = lines();
  if (!take) return output;
  return {
    ...output,
    write(line) {
      output.lastLevel = this.lastLevel;
      output.write(line);
      take(line);
    },
  };
}
