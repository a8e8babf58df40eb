import { randomBytes } from 'node:crypto';
import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectOptions, type Login } from '@corner/nats';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { NatsServer } from './find-nats-server.ts';
import { findPort } from './find-port.ts';
import { startNatsContainer } from './nats-container.ts';
import { PortTaken, startOnFreePort } from './ports.ts';
import { endLeftover, endOfLog, lookMs, type ServerProcess, startServerProcess } from './server-process.ts';

export interface NatsOptions {
  readonly server: NatsServer;
  readonly storeFolder: string;
  readonly port?: number;
  /** Options beyond the command line: users, TLS, limits, a cluster. A container sees no files that the text names. */
  readonly configuration?: string;
  readonly login?: Login;
  /** In a cluster the name is the server's identity, so it must be the same after a restart. */
  readonly name?: string;
}

export interface RunningNats extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly monitorUrl: string;
  readonly pid: number;
  readonly version: string;
  readonly startedInMs: number;
  readonly exited: Promise<string>;
  needsRestart(): Promise<boolean>;
  stop(): Promise<void>;
  kill(): void;
}

/** Free bytes on the disk that justify a restart. At its start NATS takes three quarters of the free space as its limit. */
const roomBytes = 64 * 1024 ** 2;

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Whether a server runs and its JetStream stores nothing. After a full disk 2.9.10 reports health and is silent about JetStream; 2.15.1
 * names the streams.
 */
async function storesNothing(monitor: number): Promise<boolean> {
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${monitor}${path}`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.text(),
      () => null,
    );
  const health = await ask('/healthz');
  return health !== null && (/no space left on device|not enabled/.test(health) || (await ask('/jsz')) === null);
}

const startMs = 300_000;

/**
 * Starts NATS on 127.0.0.1, with JetStream on the folder, which is made when absent. Takes another port when the preferred one is taken.
 * Throws an error with the end of the server's log.
 */
export async function startNats({ storeFolder, port = 0, ...options }: NatsOptions): Promise<RunningNats> {
  const began = performance.now();
  const folder = resolve(storeFolder);
  await mkdir(folder, { recursive: true });
  await endLeftoverNats(folder);
  const started = await startOnFreePort(port, (free) => startServer(options, folder, free));
  const stop = () => started.process.end('SIGTERM');
  return {
    url: `nats://127.0.0.1:${started.port}`,
    port: started.port,
    monitorUrl: `http://127.0.0.1:${started.monitor}`,
    pid: started.process.pid,
    version: started.version,
    startedInMs: Math.round(performance.now() - began),
    exited: started.process.exited,
    needsRestart: async () => (await storesNothing(started.monitor)) && (await freeBytes(folder)) > roomBytes,
    stop,
    kill: started.process.kill,
    [Symbol.asyncDispose]: stop,
  };
}

/** Stops a server that its starter's death left on the folder: two on one folder would corrupt it. Returns whether one ran. */
export function endLeftoverNats(storeFolder: string): Promise<boolean> {
  const folder = resolve(storeFolder);
  return endLeftover(`${folder}/nats.pid`, folder, 'SIGTERM');
}

type ServerOptions = Omit<NatsOptions, 'storeFolder' | 'port'>;

async function startServer({ server, configuration, login, name: given }: ServerOptions, folder: string, port: number) {
  const name = given ?? `corner-${randomBytes(6).toString('hex')}`;
  const isConfigured = configuration !== undefined;
  if (isConfigured) await writeFile(`${folder}/nats.conf`, configuration, { mode: 0o600 });
  const monitor = await findPort(0, new Set([port]));
  const configured = isConfigured ? ['-c', `${folder}/nats.conf`] : [];
  const storage = ['-js', '-sd', folder, '-P', `${folder}/nats.pid`];
  const logFile = `${folder}/nats.log`;
  const process =
    server.kind === 'image'
      ? await startNatsContainer({ image: server.image, name, folder, port, monitor, logFile, configured: isConfigured })
      : startServerProcess({
          program: server.path,
          args: [...configured, '-a', '127.0.0.1', '-p', String(port), '-m', String(monitor), '-n', name, ...storage],
          env: {},
          logFile,
          stopSignal: 'SIGTERM',
        });
  const version = await whenReady(process, { port, name, login });
  if (version !== null) return { process, port, monitor, version };
  const output = await endOfLog(logFile);
  if (/address already in use|port is already allocated/i.test(output)) throw new PortTaken(port);
  throw new Error(`NATS did not start on ${folder}: ${process.ended ?? `it was not ready after ${startMs / 1000} s`}.\n${output}`);
}

async function whenReady(server: ServerProcess, expected: Expected): Promise<string | null> {
  for (const deadline = Date.now() + startMs; server.ended === null; await pause(lookMs)) {
    const version = await askJetStream(expected).catch(() => null);
    if (version !== null) return version;
    if (Date.now() > deadline) await server.end('SIGTERM');
  }
  return null;
}

interface Expected {
  readonly port: number;
  readonly name: string;
  readonly login: Login | undefined;
}

async function askJetStream({ port, name, login }: Expected): Promise<string> {
  const address = connectOptions({ ...login, NATS_URL: `nats://127.0.0.1:${port}` });
  const connection = await connect({ ...address, reconnect: false, timeout: 2_000 });
  try {
    if (connection.info?.server_name !== name) throw new Error('another server listens on the port');
    await jetstreamManager(connection, { timeout: 2_000 });
    return connection.info.version;
  } finally {
    await connection.close();
  }
}
