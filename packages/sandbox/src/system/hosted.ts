import { appendFileSync } from 'node:fs';
import type { Child, Exit } from './child.ts';

export interface Hosting {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (lines: string) => void;
}

export interface Hosted {
  stop(why: string): Promise<unknown>;
}

/** The programs share the modules of this process, which stay loaded for the next system. */
export interface Host {
  start(source: string, hosting: Hosting): Promise<Hosted>;
  migrate(service: string, env: Hosting['env']): Promise<void>;
}

/** Drains at SIGTERM, as a process does; no other signal can reach it. */
export function startHosted(start: (hosting: Hosting) => Promise<Hosted>, options: Omit<Hosting, 'write'> & HostedAs): Child {
  const { name, cwd, env, logFile } = options;
  const write = (lines: string) => appendFileSync(logFile, lines, { mode: 0o600 });
  const { promise: exited, resolve } = Promise.withResolvers<Exit>();
  let running = true;
  const end = (exit: Exit) => {
    running = false;
    resolve(exit);
  };
  const fail = (error: unknown) => {
    write(`${name}: ${error instanceof Error ? error.stack : String(error)}\n`);
    end({ code: 1, signal: null });
  };
  const starting = start({ cwd, env, write });
  starting.catch(fail);
  let stopping = false;
  return {
    pid: process.pid,
    exited,
    get running() {
      return running;
    },
    signal(signal) {
      if (signal !== 'SIGTERM') throw new Error(`${name} runs in this process, where ${signal} cannot end it: have it spawned`);
      if (stopping) return;
      stopping = true;
      starting.then((hosted) => hosted.stop(signal)).then(() => end({ code: 0, signal: null }), fail);
    },
  };
}

interface HostedAs {
  readonly name: string;
  readonly logFile: string;
}
