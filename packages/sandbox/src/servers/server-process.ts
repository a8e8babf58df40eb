import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runWhenThisProcessEnds } from './run-when-this-process-ends.ts';

/** A server that runs beside us, in a process group of its own: Ctrl-C in the terminal does not reach it. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves with a sentence about its end. */
  readonly exited: Promise<string>;
  /** That sentence once it has ended, else null. */
  readonly ended: string | null;
  /** Sends a signal and, when it takes longer than patience, SIGKILL. Resolves when the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Sends SIGKILL, as a crash would come. */
  kill(): void;
  /** Keeps our own process alive until this one has ended. */
  ref(): void;
}

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** The signal that shuts it down in good order. It is sent, too, when our own process ends without having stopped the server. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  /** Another user to run as; only root may. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Milliseconds a server may take to end in good order. */
const patienceMs = 10_000;
/** Milliseconds between two looks at something that another process changes. */
export const lookMs = 10;

/** Starts a server whose output goes to a file of its own; the one before is kept beside it. It does not keep our own process alive. */
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
 * Ends a server that an earlier, killed run left behind, and removes its pid file. A process that merely was given the
 * same id is left alone: `marker`, some argument only our server has, must be on its command line. Answers whether one ran.
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

/** False, too, for a process that is gone or of which only the exit status is left. */
function isOurs(pid: number, marker: string): boolean {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(marker);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(marker);
  } catch {
    return false;
  }
}

/** The last lines of a log, for an error message. */
export async function endOfLog(logFile: string, lines = 8): Promise<string> {
  return (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-lines).join('\n');
}
