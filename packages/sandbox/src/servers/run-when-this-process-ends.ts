import { spawn } from 'node:child_process';

/**
 * Runs a command as soon as this process has ended, however it ended, SIGKILL included. A small shell reads from a pipe that
 * the operating system closes when this process ends. The shell has a process group of its own, so Ctrl-C does not end it.
 * `cancel` ends the shell without running the command.
 */
export function runWhenThisProcessEnds(command: readonly string[]): { cancel(): void } {
  // A line on the pipe means cancel. The end of input without a line means that this process has ended.
  const shell = spawn('/bin/sh', ['-c', 'read -r line || "$@"', 'sh', ...command], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.once('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  (shell.stdin as typeof shell.stdin & { unref?: () => void }).unref?.();
  return { cancel: () => void shell.stdin.end('\n') };
}
