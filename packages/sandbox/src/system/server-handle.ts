import { rm } from 'node:fs/promises';
import { withoutPasswords } from '@corner/nats';
import type { Ledger } from './ledger.ts';

export interface ServerHandle {
  readonly name: 'postgres' | 'nats';
  readonly url: string;
  readonly version: string;
  readonly startedInMs: number;
  readonly ours: boolean;
  readonly pid: number;
  readonly exited: Promise<string>;
  kill(signal?: NodeJS.Signals): void;
  readonly wanted: boolean;
  needsRestart(): Promise<boolean>;
  restart(): Promise<void>;
  /** Throws unless the server is down: call {@link stop} or {@link kill} first. */
  wipe(): Promise<void>;
  stop(): Promise<void>;
}

interface ServerLife {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  readonly startedInMs: number;
  readonly exited: Promise<string>;
  needsRestart?(): Promise<boolean>;
  stop(): Promise<void>;
  kill(): void;
}

interface ServerOptions {
  readonly name: ServerHandle['name'];
  readonly port: number;
  readonly folder: string;
  readonly ledger: Ledger;
  readonly begin: (port: number) => Promise<ServerLife>;
}

export async function startServer({ name, port: preferred, folder, ledger, begin }: ServerOptions): Promise<ServerHandle> {
  const stopSignal = name === 'postgres' ? 'SIGINT' : 'SIGTERM';
  let life = await begin(preferred);
  let wanted = true;
  const { port, url, version, startedInMs } = life;
  ledger.note(name, life.pid, stopSignal);
  const handle: ServerHandle = {
    name,
    url,
    version,
    startedInMs,
    ours: true,
    get pid() {
      return life.pid;
    },
    get exited() {
      return life.exited;
    },
    get wanted() {
      return wanted;
    },
    kill: (signal = 'SIGKILL') => (signal === 'SIGKILL' ? life.kill() : void process.kill(life.pid, signal)),
    needsRestart: async () => (await life.needsRestart?.()) ?? false,
    async restart() {
      wanted = false;
      await life.stop();
      // A failure from here on, such as a full disk, is a fault like any other and leads to a retry.
      wanted = true;
      life = await begin(port);
      ledger.note(name, life.pid, stopSignal);
      if (life.port !== port) throw new Error(`${name} could not come back on port ${port}: another process took it`);
    },
    async wipe() {
      await life.stop();
      await rm(folder, { recursive: true, force: true });
    },
    async stop() {
      wanted = false;
      await life.stop();
      ledger.forget(name);
    },
  };
  return handle;
}

export function foreignServer(name: ServerHandle['name'], url: string, version: string, startedInMs: number): ServerHandle {
  const refuse = (): never => {
    throw new Error(`${name} at ${withoutPasswords(url)} is not ours to end`);
  };
  return {
    name,
    url,
    version,
    startedInMs,
    ours: false,
    get pid() {
      return refuse();
    },
    exited: new Promise(() => {}),
    wanted: true,
    kill: refuse,
    needsRestart: async () => false,
    restart: refuse,
    wipe: refuse,
    stop: async () => {},
  };
}
