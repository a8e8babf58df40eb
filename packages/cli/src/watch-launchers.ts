import { commandOf, parentOf } from '@corner/sandbox';

/** Milliseconds between two looks. */
const intervalMs = 500;

/**
 * Calls `gone` once when npm, npx, pnpm or `npx corner`, whichever of them started us, dies without telling us. A
 * signal sent to npm ends npm alone; without this everything it started would stay.
 */
export function watchLaunchers(gone: () => void): { stop(): void } {
  const launchers = launchersOf(process.pid);
  const parent = process.ppid;
  if (launchers.length === 0) return { stop: () => {} };
  const timer = setInterval(() => {
    if (process.ppid === parent && launchers.every(exists)) return;
    clearInterval(timer);
    gone();
  }, intervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
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

const isShell = (command: string): boolean => /^\S*?\b(sh|bash|dash|zsh)(\s|$)/.test(command);
const isLauncher = (command: string): boolean => /(^|[\s/])(npm|npx|pnpm)(\s|$|[-.@])|\/tools\/corner\.js\b/.test(command);

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
