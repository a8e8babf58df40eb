import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PortTaken, startOnFreePort } from './ports.ts';
import { findPostgresPrograms, type PostgresPrograms, postgresEnv, runPostgresProgram } from './postgres-programs.ts';
import type { PostgresUser } from './postgres-user.ts';
import { endLeftover, endOfLog, lookMs, type ServerProcess, startServerProcess } from './server-process.ts';

export interface PostgresOptions {
  readonly dataFolder: string;
  readonly port?: number;
  readonly durable?: boolean;
}

export interface RunningPostgres extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  readonly startedInMs: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
  kill(): void;
}

const startMs = 300_000;
/** Milliseconds the processes of a killed postmaster may take to release its shared memory. */
const orphanMs = 10_000;

/**
 * Starts Postgres on 127.0.0.1, on the folder, which is made when absent. Takes another port when the preferred one is taken. Throws an
 * error with the end of the server's log.
 */
export async function startPostgres({ dataFolder, port = 0, durable = true }: PostgresOptions): Promise<RunningPostgres> {
  const began = performance.now();
  const folder = resolve(dataFolder);
  await mkdir(folder, { recursive: true });
  const programs = await findPostgresPrograms(folder);
  await endLeftoverPostgres(folder);
  const password = await makeCluster(folder, programs, durable);
  const started = await startOnFreePort(port, (free) => startServer(folder, programs, free, durable));
  const stop = () => started.server.end('SIGINT');
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${started.port}/postgres`,
    port: started.port,
    pid: started.server.pid,
    version: programs.version,
    startedInMs: Math.round(performance.now() - began),
    exited: started.server.exited,
    stop,
    kill: started.server.kill,
    [Symbol.asyncDispose]: stop,
  };
}

/** Stops a server whose starter has died. Returns whether one ran. */
export function endLeftoverPostgres(dataFolder: string): Promise<boolean> {
  const cluster = clusterOf(resolve(dataFolder));
  return endLeftover(`${cluster}/postmaster.pid`, cluster, 'SIGINT');
}

const clusterOf = (folder: string): string => `${folder}/cluster`;

async function makeCluster(folder: string, { initdb, user }: PostgresPrograms, durable: boolean): Promise<string> {
  const cluster = clusterOf(folder);
  const passwordFile = `${folder}/password`;
  if (existsSync(cluster)) return await readPassword(passwordFile);
  await give(folder, user);
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await give(passwordFile, user);
  // initdb works in another folder, which is then renamed: an interrupted start leaves no incomplete cluster behind.
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const login = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const kind = ['-E', 'UTF8', '--locale=C', '--no-instructions', ...(durable ? [] : ['--no-sync'])];
  await runPostgresProgram(initdb, ['-D', unfinished, ...login, ...kind], user);
  await rename(unfinished, cluster);
  return password;
}

async function give(path: string, { owner }: PostgresUser): Promise<void> {
  if (owner) await chown(path, owner.uid, owner.gid);
}

async function readPassword(passwordFile: string): Promise<string> {
  try {
    return (await readFile(passwordFile, 'utf8')).trim();
  } catch (cause) {
    throw new Error(
      `The Postgres data beside ${passwordFile} cannot be used: its password cannot be read.\n` +
        'Another user made it, or the file was removed. Run as that user, or start afresh with: npm run reset',
      { cause },
    );
  }
}

async function startServer(folder: string, { postgres, user }: PostgresPrograms, port: number, durable: boolean) {
  const logFile = `${folder}/postgres.log`;
  const args = ['-D', clusterOf(folder), '-p', String(port), ...settings(durable)];
  for (const deadline = Date.now() + orphanMs; ; await pause(lookMs * 10)) {
    const server = startServerProcess({ ...user.command(postgres, args), env: postgresEnv, logFile, stopSignal: 'SIGINT' });
    if (await isReady(server, folder)) return { server, port };
    const output = await endOfLog(logFile);
    if (output.includes('Address already in use')) throw new PortTaken(port);
    if (output.includes('is still in use') && Date.now() < deadline) continue;
    throw new Error(`Postgres did not start on ${folder}: ${server.ended ?? `it was not ready after ${startMs / 1000} s`}.\n${output}`);
  }
}

function settings(durable: boolean): string[] {
  const given: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The default verbosity would log the row that violates a constraint, and a failed statement with its password.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    jit: 'off',
    // For tests. An analysis in between would change plans, and how many rows a statement reads, between two runs.
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  };
  return Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The pid file has the process id in the first line, in the eighth "ready", or "standby" where the server follows another one. */
async function isReady(server: ServerProcess, folder: string): Promise<boolean> {
  for (const deadline = Date.now() + startMs; server.ended === null; await pause(lookMs)) {
    const lines = (await readFile(`${clusterOf(folder)}/postmaster.pid`, 'utf8').catch(() => '')).split('\n');
    if (Number(lines[0]) === server.pid && /^(?:ready|standby)\s*$/.test(lines[7] ?? '')) return true;
    if (Date.now() > deadline) {
      await server.end('SIGQUIT');
      return false;
    }
  }
  return false;
}
