import { rm } from 'node:fs/promises';
import { withoutPassword } from './addresses.ts';
import type { Ledger } from './ledger.ts';

/** A server beneath the services: ours, through all its lives, or somebody else's. */
export interface ServerHandle {
  readonly name: 'postgres' | 'nats';
  readonly url: string;
  readonly version: string;
  readonly startedInMs: number;
  /** False when the server was there before us: it is used, and neither stopped nor killed. */
  readonly ours: boolean;
  /** Of the present life; throws when the server is not ours. */
  readonly pid: number;
  /** Resolves, with a sentence, when the present life ends. */
  readonly exited: Promise<string>;
  /** Sends a signal to the present life, SIGKILL unless told otherwise. */
  kill(signal?: NodeJS.Signals): void;
  /** True while nobody has asked for its end: an end then is a fault. */
  readonly wanted: boolean;
  /** Ends the present life, if it still runs, and begins another on the same port and data. */
  restart(): Promise<void>;
  /** Deletes everything it keeps. Only while it is down: {@link stop} or {@link kill} it first. */
  wipe(): Promise<void>;
  stop(): Promise<void>;
}

/** What a running server of ours offers, whichever it is. */
interface ServerLife {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  readonly startedInMs: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): void;
}

interface ServerOptions {
  readonly name: ServerHandle['name'];
  readonly port: number;
  readonly folder: string;
  readonly ledger: Ledger;
  /** Begins a life: on the wished port at first, on the port of the first life from then on. */
  readonly begin: (port: number) => Promise<ServerLife>;
}

/** Starts a server of ours and keeps it in the ledger. */
export async function startServer({ name, port: wish, folder, ledger, begin }: ServerOptions): Promise<ServerHandle> {
  const stopSignal = name === 'postgres' ? 'SIGINT' : 'SIGTERM';
  let life = await begin(wish);
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
    async restart() {
      wanted = false;
      await life.stop();
      life = await begin(port);
      wanted = true;
      ledger.note(name, life.pid, stopSignal);
      if (life.port !== port) throw new Error(`${name} could not come back on port ${port}: somebody else took it`);
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

/** A server that is already there. */
export function foreignServer(name: ServerHandle['name'], url: string, version: string, startedInMs: number): ServerHandle {
  const refuse = (): never => {
    throw new Error(`${name} at ${withoutPassword(url)} is not ours to end`);
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
    restart: refuse,
    wipe: refuse,
    stop: async () => {},
  };
}
