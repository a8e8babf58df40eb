import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { NatsServer } from './find-nats-server.ts';
import { startNatsContainer } from './nats-container.ts';
import { PortTaken, startOnFreePort } from './ports.ts';
import { endLeftover, endOfLog, lookMs, type ServerProcess, startServerProcess } from './server-process.ts';

export interface NatsOptions {
  /** The result of findNatsServer. */
  readonly server: NatsServer;
  /** Folder of the streams and the log. Made when absent; existing streams are kept. */
  readonly storeFolder: string;
  /** The preferred port; another is used when it is taken. Any free port when absent. */
  readonly port?: number;
}

export interface RunningNats extends AsyncDisposable {
  /** nats://127.0.0.1:port */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** For example 2.9.10. */
  readonly version: string;
  readonly startedInMs: number;
  /** Resolves when the server has ended for whatever reason, with a sentence that says how. */
  readonly exited: Promise<string>;
  /** Shuts it down with SIGTERM. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL, as in a crash. */
  kill(): void;
}

/** Milliseconds a start may take. It includes reading the streams back. */
const startMs = 60_000;

/** Starts NATS on 127.0.0.1, with JetStream on the streams in the folder. Throws an error with the end of the server's log. */
export async function startNats({ server, storeFolder, port = 0 }: NatsOptions): Promise<RunningNats> {
  const began = performance.now();
  const folder = resolve(storeFolder);
  await mkdir(folder, { recursive: true });
  await endLeftoverNats(folder);
  const started = await startOnFreePort(port, (free) => startServer(server, folder, free));
  const stop = () => started.process.end('SIGTERM');
  return {
    url: `nats://127.0.0.1:${started.port}`,
    port: started.port,
    pid: started.process.pid,
    version: started.version,
    startedInMs: Math.round(performance.now() - began),
    exited: started.process.exited,
    stop,
    kill: started.process.kill,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * Stops a server that still runs on the folder after its starter has died: two servers on one folder would corrupt it. Returns whether
 * one ran.
 */
export function endLeftoverNats(storeFolder: string): Promise<boolean> {
  const folder = resolve(storeFolder);
  return endLeftover(`${folder}/nats.pid`, folder, 'SIGTERM');
}

async function startServer(server: NatsServer, folder: string, port: number) {
  // The name distinguishes this server from another one that listens on the port.
  const name = `corner-${randomBytes(6).toString('hex')}`;
  const logFile = `${folder}/nats.log`;
  const process =
    server.kind === 'image'
      ? await startNatsContainer({ image: server.image, name, folder, port, logFile })
      : startServerProcess({
          program: server.path,
          args: ['-a', '127.0.0.1', '-p', String(port), '-n', name, '-js', '-sd', folder, '-P', `${folder}/nats.pid`],
          env: {},
          logFile,
          stopSignal: 'SIGTERM',
        });
  const version = await whenReady(process, port, name);
  if (version !== null) return { process, port, version };
  const output = await endOfLog(logFile);
  if (/address already in use|port is already allocated/i.test(output)) throw new PortTaken(port);
  throw new Error(`NATS did not start on ${folder}: ${process.ended ?? `it was not ready after ${startMs / 1000} s`}.\n${output}`);
}

/** Waits until JetStream responds. Returns the server's version, or null when the server ended or took too long. */
async function whenReady(server: ServerProcess, port: number, name: string): Promise<string | null> {
  for (const deadline = Date.now() + startMs; server.ended === null; await pause(lookMs)) {
    const version = await askJetStream(port, name).catch(() => null);
    if (version !== null) return version;
    if (Date.now() > deadline) await server.end('SIGTERM');
  }
  return null;
}

async function askJetStream(port: number, name: string): Promise<string> {
  const connection = await connect({ servers: `127.0.0.1:${port}`, reconnect: false, timeout: 2_000 });
  try {
    if (connection.info?.server_name !== name) throw new Error('another server listens on the port');
    await jetstreamManager(connection, { timeout: 2_000 });
    return connection.info.version;
  } finally {
    await connection.close();
  }
}
