import { commandOf, parentOf } from '@corner/sandbox';

/** Milliseconds between two looks. */
const intervalMs = 500;

/**
 * Calls `gone` once when npm, npx, pnpm or `npx corner`, whichever of them started us, dies without telling us. A
 * signal sent to npm ends npm alone; without this everything it started would stay. Answers whom it watches.
 */
export function watchLaunchers(gone: () => void): { readonly launchers: readonly number[] } {
  const launchers = launchersOf(process.pid);
  const parent = process.ppid;
  if (launchers.length === 0) return { launchers };
  const timer = setInterval(() => {
    if (process.ppid === parent && launchers.every(exists)) return;
    clearInterval(timer);
    gone();
  }, intervalMs);
  timer.unref();
  return { launchers };
}

/** Our ancestors up to the topmost launcher. A shell belongs to them only when a launcher started it. */
function launchersOf(pid: number): number[] {
  const ancestors: number[] = [];
  let launchers: number[] = [];
  for (let at = parentOf(pid); at !== null && at > 1; at = parentOf(at)) {
    const command = commandOf(at);
    if (command === null) break;
    ancestors.push(at);
    if (isShell(command)) continue;
    if (!isLauncher(command)) break;
    launchers = [...ancestors];
  }
  return launchers;
}

const shells = new Set(['sh', 'bash', 'dash', 'zsh']);
const isShell = (command: string): boolean => shells.has(programsIn(command)[0] ?? '');

const launcherNames = /^(npm|npx|pnpm)(-cli)?(\.[cm]?js)?$/;
const isLauncher = (command: string): boolean =>
  programsIn(command).some((name) => launcherNames.test(name)) || /\/tools\/corner\.js( |$)/.test(command);

/** The program of a command line, and the script where the program is an interpreter: `node /usr/bin/npm` is npm. */
const programsIn = (command: string): string[] =>
  command
    .split(' ')
    .slice(0, 2)
    .map((word) => word.replace(/^-/, '').split('/').at(-1) ?? '');

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
