import { spawn } from 'node:child_process';

/**
 * Runs a command as soon as this process has ended, however it ended: also when it was killed and could run no code of its
 * own. A small shell waits on a pipe from this process, which the operating system closes. The shell is in a process group of
 * its own, so that Ctrl-C does not end it. `cancel` ends the shell without the command.
 */
export function runWhenThisProcessEnds(command: readonly string[]): { cancel(): void } {
  // A line on the pipe cancels; the end of input without one means that this process is gone.
  const shell = spawn('/bin/sh', ['-c', 'read -r line || "$@"', 'sh', ...command], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.once('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  (shell.stdin as typeof shell.stdin & { unref?: () => void }).unref?.();
  return { cancel: () => void shell.stdin.end('\n') };
}
