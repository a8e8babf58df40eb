import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface ServerProcess {
  readonly pid: number;
  readonly exited: Promise<string>;
  readonly ended: string | null;
  end(signal: NodeJS.Signals): Promise<void>;
  kill(): void;
  ref(): void;
}

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Also sent when our own process ends without having stopped the server. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

const patienceMs = 10_000;
export const lookMs = 10;

/**
 * Uses a process group of its own, which Ctrl-C in the terminal does not reach. Keeps the previous log beside the new one. The server does
 * not keep our own process alive.
 */
export function startServerProcess({ program, args, env, logFile, stopSignal, user }: ServerCommand): ServerProcess {
  mkdirSync(dirname(logFile), { recursive: true });
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.previous`);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', log, log], ...user });
  closeSync(log);
  const guard = child.pid === undefined ? null : runWhenThisProcessEnds(['kill', '-s', stopSignal.slice(3), String(child.pid)]);
  let ended: string | null = null;
  const exited = new Promise<string>((resolve) => {
    const end = (sentence: string) => {
      ended = sentence;
      guard?.cancel();
      resolve(sentence);
    };
    child.once('error', (error) => end(`it could not be started: ${error.message}`));
    child.once('exit', (code, signal) => end(signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`));
  });
  child.unref();
  return {
    pid: child.pid ?? 0,
    exited,
    get ended() {
      return ended;
    },
    async end(signal) {
      if (ended !== null) return;
      child.ref();
      child.kill(signal);
      const patience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await exited;
      clearTimeout(patience);
    },
    kill() {
      child.ref();
      child.kill('SIGKILL');
    },
    ref: () => child.ref(),
  };
}

/**
 * Stops a server that a killed run left behind, and removes its pid file. `marker` must be on its command line, since another process may
 * have its id. Returns whether one ran.
 */
export async function endLeftover(pidFile: string, marker: string, signal: NodeJS.Signals): Promise<boolean> {
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!(pid > 0) || !isOurs(pid, marker)) {
    await rm(pidFile, { force: true });
    return false;
  }
  process.kill(pid, signal);
  for (const deadline = Date.now() + patienceMs; isOurs(pid, marker); await pause(lookMs)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
  }
  await rm(pidFile, { force: true });
  return true;
}

/** False also for a process that has ended and whose exit status has not been collected. */
function isOurs(pid: number, marker: string): boolean {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(marker);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(marker);
  } catch {
    return false;
  }
}

export async function endOfLog(logFile: string, lines = 8): Promise<string> {
  return (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-lines).join('\n');
}

/**
 * Runs a command once this process has ended, even by SIGKILL: a shell in its own process group, which Ctrl-C does not reach, reads a pipe
 * that then closes. `cancel` ends the shell.
 */
export function runWhenThisProcessEnds(command: readonly string[]): { cancel(): void } {
  const shell = spawn('/bin/sh', ['-c', 'read -r line || "$@"', 'sh', ...command], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.once('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  (shell.stdin as typeof shell.stdin & { unref?: () => void }).unref?.();
  return { cancel: () => void shell.stdin.end('\n') };
}
