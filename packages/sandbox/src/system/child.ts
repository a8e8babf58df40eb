import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { cacheBeside } from '@corner/programs';
import { programFile } from './topology.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly running: boolean;
  signal(signal: NodeJS.Signals): void;
}

export interface ChildOptions {
  readonly program: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  readonly sockets?: readonly number[];
}

export const firstSocket = 3;

const endWithParent = (program: string) =>
  pathToFileURL(programFile('packages/sandbox/src/system/end-with-parent.ts', { fromSource: program.endsWith('.ts') })).href;

const youngGeneration = '--max-semi-space-size=32';

/** V8 stores compiled code beside a program's file, so that the next start need not compile it. Sources change too often for that. */
const compileCache = (program: string) => (program.endsWith('.ts') ? {} : { NODE_COMPILE_CACHE: cacheBeside(program) });

export function startChild({ program, cwd, env, logFile, sockets = [] }: ChildOptions): Child {
  const log = openSync(logFile, 'a', 0o600);
  let child: ChildProcess;
  try {
    child = spawn(process.execPath, [youngGeneration, '--enable-source-maps', '--import', endWithParent(program), program], {
      cwd,
      env: { ...compileCache(program), ...env },
      detached: true,
      stdio: ['pipe', log, log, ...sockets],
    });
  } finally {
    closeSync(log);
  }
  if (child.pid === undefined) throw new Error(`could not start ${program}`);
  child.stdin?.on('error', () => {});
  const state = { running: true };
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      state.running = false;
      resolve({ code, signal });
    });
    child.once('error', () => {
      state.running = false;
      resolve({ code: null, signal: null });
    });
  });
  return {
    pid: child.pid,
    exited,
    get running() {
      return state.running;
    },
    signal(signal) {
      if (state.running) child.kill(signal);
    },
  };
}

export const describeExit = ({ code, signal }: Exit): string =>
  signal ? `was ended by ${signal}` : `ended with code ${code ?? 'unknown'}`;
