import { mkdir, rm } from 'node:fs/promises';
import type { OptionalService } from '@corner/contracts';
import { connectNats } from '@corner/nats';
import { startPostgres } from '@corner/sandbox/servers';
import { checkout, type RunningSystem, startSystem } from '@corner/sandbox/system';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import pg from 'pg';
import { type BenchDirectory, directoryFile, makeDirectory } from './bench-stores.ts';

export interface BenchSystem extends BenchDirectory, AsyncDisposable {
  readonly system: RunningSystem;
  readonly database: pg.Pool;
  readonly streams: JetStreamManager;
  readonly dataDir: string;
}

interface BenchOptions {
  readonly stop: AbortSignal;
  readonly directory?: BenchDirectory;
  readonly optional?: readonly OptionalService[];
}

export const benchApplication = 'corner bench';

/**
 * Starts the whole platform as separate processes in a new folder, which disposal removes. Rejects when a part does not start. `stop` ends
 * this process too, because an interrupted measurement has no result.
 */
export async function startBenchSystem({ stop, directory = makeDirectory(), optional = [] }: BenchOptions): Promise<BenchSystem> {
  const dataDir = `${checkout}/.corner/bench-${process.pid}`;
  await mkdir(dataDir, { recursive: true });
  try {
    await prepareServer(dataDir);
    const { DATABASE_URL: _database, NATS_URL: _nats, NATS_NAMESPACE: _namespace, STRIPE_SECRET_KEY: _key, ...env } = process.env;
    const system = await startSystem({
      dataDir,
      ports: 'any',
      env: { ...env, RATE_LIMITS: 'off' },
      directory: directoryFile(directory),
      optional,
      stop,
    });
    const nats = await connectNats(system.natsUrl, benchApplication);
    const database = await openDatabase(system.databaseUrl);
    const stopAndRemove = async () => {
      await nats.close();
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    stop.addEventListener('abort', () => void stopAndRemove().finally(() => process.exit(130)));
    return {
      ...directory,
      system,
      database,
      dataDir,
      streams: await jetstreamManager(nats, { checkAPI: false }),
      async [Symbol.asyncDispose]() {
        await database.end();
        await stopAndRemove();
      },
    };
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** These connections stay open and count no rows, so that their work is not counted as the services'. */
async function openDatabase(url: string): Promise<pg.Pool> {
  const database = new pg.Pool({
    connectionString: url,
    max: 8,
    idleTimeoutMillis: 0,
    application_name: benchApplication,
    options: '-c track_counts=off',
  });
  database.on('error', () => {});
  await database.query('create extension if not exists pg_stat_statements');
  return database;
}

/** Commit timestamps and pg_stat_statements need a restart of Postgres, which follows when the system starts. */
async function prepareServer(dataDir: string): Promise<void> {
  await using server = await startPostgres({ dataFolder: `${dataDir}/postgres` });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('alter system set track_commit_timestamp = on');
  await client.query('alter system set shared_preload_libraries = pg_stat_statements');
  await client.end();
}
