import { mkdir, rm } from 'node:fs/promises';
import { checkout, type RunningSystem, startPostgres, startSystem } from '@corner/sandbox';
import pg from 'pg';
import { type BenchStore, directoryOf, makeStores } from './bench-stores.ts';

/** The whole platform as separate processes with its own Postgres and NATS, and stores with menus. */
export interface BenchSystem extends AsyncDisposable {
  readonly system: RunningSystem;
  readonly stores: readonly BenchStore[];
  /** Connections with the administrator's role. */
  readonly database: pg.Pool;
}

interface BenchOptions {
  /** Stops the system and ends this process, because an interrupted measurement has no result. */
  readonly stop: AbortSignal;
}

/** Starts the system in a new folder, which disposal removes. Rejects when a part does not start. */
export async function startBenchSystem({ stop }: BenchOptions): Promise<BenchSystem> {
  const dataDir = `${checkout}/.corner/bench-${process.pid}`;
  const stores = makeStores(16);
  await mkdir(dataDir, { recursive: true });
  try {
    await prepareServer(dataDir);
    // The benchmarks must not use servers with other data, or Stripe.
    const { DATABASE_URL: _database, NATS_URL: _nats, NATS_NAMESPACE: _namespace, STRIPE_SECRET_KEY: _key, ...env } = process.env;
    const system = await startSystem({ dataDir, ports: 'any', env: { ...env, RATE_LIMITS: 'off' }, directory: directoryOf(stores), stop });
    const database = new pg.Pool({ connectionString: system.databaseUrl, max: 8 });
    database.on('error', () => {});
    const stopAndRemove = async () => {
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    stop.addEventListener('abort', () => void stopAndRemove().finally(() => process.exit(130)));
    return {
      system,
      stores,
      database,
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

/** Turns on commit timestamps and pg_stat_statements. Both need a restart of Postgres, which follows when the system starts. */
async function prepareServer(dataDir: string): Promise<void> {
  await using server = await startPostgres({ dataFolder: `${dataDir}/postgres` });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('alter system set track_commit_timestamp = on');
  await client.query('alter system set shared_preload_libraries = pg_stat_statements');
  await client.end();
}
