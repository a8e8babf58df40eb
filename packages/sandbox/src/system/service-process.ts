import type { ClaimedPort } from '../servers/find-port.ts';
import { type Child, describeExit, type Exit, firstSocket, startChild } from './child.ts';
import { errorLines } from './error-lines.ts';
import { type Hosted, type Hosting, startHosted } from './hosted.ts';
import type { Ledger } from './ledger.ts';
import { claimExactly } from './ports.ts';
import { waitUntilReady } from './ready.ts';

export interface ServiceOptions {
  readonly name: string;
  readonly sockets: { readonly PORT: ClaimedPort } & Readonly<Record<string, ClaimedPort>>;
  readonly program: string;
  readonly host?: ((hosting: Hosting) => Promise<Hosted>) | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  readonly ledger: Ledger;
  readonly readyPath?: string;
}

interface RestartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string;
  readonly spawned?: boolean;
}

/** Keeps its name, port and address when it is restarted. */
export interface ServiceProcess extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly logFile: string;
  readonly pid: number;
  readonly running: boolean;
  readonly spawned: boolean;
  readonly exited: Promise<Exit>;
  readonly stopping: boolean;
  ready(withinMs?: number): Promise<void>;
  kill(signal?: NodeJS.Signals): void;
  /** Keeps the port; resolves when ready. `env` and `program` are for that start only. */
  restart(options?: RestartOptions): Promise<void>;
  stop(withinMs?: number): Promise<Exit>;
}

export class ProcessEnded extends Error {
  readonly logFile: string;
  constructor({ name, logFile }: Pick<ServiceOptions, 'name' | 'logFile'>, exit: Exit) {
    super(`${name} ${describeExit(exit)}\n${errorLines(logFile)}`.trimEnd());
    this.name = 'ProcessEnded';
    this.logFile = logFile;
  }
}

export function startService(options: ServiceOptions): ServiceProcess {
  const { port } = options.sockets.PORT;
  const url = `http://127.0.0.1:${port}`;
  let alwaysSpawned = !options.host;
  let spawned = alwaysSpawned;
  let child = begin(options, Object.entries(options.sockets), spawned);
  let stopping = false;

  const service: ServiceProcess = {
    name: options.name,
    url,
    port,
    logFile: options.logFile,
    get pid() {
      return child.pid;
    },
    get running() {
      return child.running;
    },
    get spawned() {
      return spawned;
    },
    get exited() {
      return child.exited;
    },
    get stopping() {
      return stopping;
    },
    ready: (withinMs) => {
      const gone = child.exited.then((exit) => new ProcessEnded(options, exit));
      return waitUntilReady(options.name, `${url}${options.readyPath ?? '/readyz'}`, gone, withinMs);
    },
    kill: (signal = 'SIGKILL') => child.signal(signal),
    async restart(other) {
      await service.stop();
      stopping = false;
      if (options.host) alwaysSpawned = other?.spawned ?? alwaysSpawned;
      const claimed = await claimAgain(options.sockets);
      spawned = alwaysSpawned || other?.program !== undefined || other?.env?.CRASH_AT !== undefined;
      child = begin(options, claimed, spawned, other);
      await service.ready();
    },
    async stop(withinMs = 30_000) {
      stopping = true;
      const life = child;
      life.signal('SIGTERM');
      const timer = setTimeout(() => life.signal('SIGKILL'), withinMs);
      const exit = await life.exited;
      clearTimeout(timer);
      options.ledger.forget(options.name);
      return exit;
    },
    [Symbol.asyncDispose]: async () => void (await service.stop()),
  };
  return service;
}

function begin(
  options: ServiceOptions,
  claimed: Claimed,
  spawned: boolean,
  { env: extra, program = options.program }: RestartOptions = {},
): Child {
  if (options.host && !spawned) {
    for (const [, { close }] of claimed) close();
    const ports = Object.fromEntries(claimed.map(([variable, { port }]) => [variable, String(port)]));
    return startHosted(options.host, { ...options, env: { ...options.env, ...ports, ...extra } });
  }
  const env = { ...options.env, ...socketVariables(claimed), ...extra };
  let child: Child;
  try {
    child = startChild({ ...options, program, env, sockets: claimed.map(([, { fd }]) => fd) });
  } finally {
    for (const [, { close }] of claimed) close();
  }
  try {
    options.ledger.note(options.name, child.pid);
  } catch (error) {
    // Unrecorded it would be lost, and it has the port.
    child.signal('SIGKILL');
    throw error;
  }
  return child;
}

type Claimed = readonly (readonly [variable: string, port: ClaimedPort])[];

const socketVariables = (claimed: Claimed): Record<string, string> =>
  Object.fromEntries(
    claimed.flatMap(([variable, { port }], index) => [
      [variable, String(port)],
      [`${variable}_FD`, String(firstSocket + index)],
    ]),
  );

async function claimAgain(sockets: ServiceOptions['sockets']): Promise<Claimed> {
  const claimed: [string, ClaimedPort][] = [];
  try {
    for (const [variable, { port }] of Object.entries(sockets)) claimed.push([variable, await claimExactly(port)]);
  } catch (error) {
    for (const [, { close }] of claimed) close();
    throw error;
  }
  return claimed;
}
