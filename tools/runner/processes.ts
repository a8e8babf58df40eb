import { readdirSync, readFileSync } from 'node:fs';

/** The seconds of a process that ended belong to its parent's ended ones. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** Clock ticks since the machine started: two processes may have the same id, but not at the same time. */
  readonly startedAt: number;
  readonly ownSeconds: number;
  readonly endedSeconds: number;
}

export function processIds(): number[] {
  return process.platform === 'linux' ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
}

export function readProcess(pid: number): SeenProcess | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const nameEnds = text.lastIndexOf(')');
    // Behind the name in brackets: the state, the parent, and from the twelfth on the user's and the system's time, its own and of the
    // ended.
    const fields = text
      .slice(nameEnds + 2)
      .split(' ', 20)
      .map(Number);
    const [parent = 0, startedAt = 0] = [fields[1], fields[19]];
    const [ownSeconds, endedSeconds] = [secondsOf(fields.slice(11, 13)), secondsOf(fields.slice(13, 15))];
    return { pid, parent, name: text.slice(text.indexOf('(') + 1, nameEnds), startedAt, ownSeconds, endedSeconds };
  } catch {
    return null;
  }
}

/** Linux counts a hundred clock ticks a second. */
const secondsOf = (ticks: readonly number[]): number => ticks.reduce((all, one) => all + one, 0) / 100;

export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** The processor's seconds of all descendants of this process; null where the system does not report them. */
export function secondsOfDescendants(): number | null {
  if (process.platform !== 'linux') return null;
  const seen = processIds().flatMap((pid) => readProcess(pid) ?? []);
  const below = (pid: number): number =>
    seen.filter(({ parent }) => parent === pid).reduce((sum, one) => sum + one.ownSeconds + one.endedSeconds + below(one.pid), 0);
  return (readProcess(process.pid)?.endedSeconds ?? 0) + below(process.pid);
}
