import { mkdir, rm } from 'node:fs/promises';
import { checkout, type RunningSystem, startPostgres, startSystem } from '@corner/sandbox';
import pg from 'pg';
import { type BenchStore, directoryOf, makeStores } from './bench-stores.ts';

/** The whole platform as separate processes on servers of its own, with stores to order from. */
export interface BenchSystem extends AsyncDisposable {
  readonly system: RunningSystem;
  readonly stores: readonly BenchStore[];
  /** Connections of the administrator. */
  readonly database: pg.Pool;
}

interface BenchOptions {
  /** Whether the server counts what statements cost. */
  readonly statements: boolean;
  /** Ends everything, and this process with it: what is being measured then has no meaning any more. */
  readonly stop: AbortSignal;
}

/** Starts it in a folder of its own, which its disposal removes. Rejects when a part does not come up. */
export async function startBenchSystem({ statements, stop }: BenchOptions): Promise<BenchSystem> {
  const dataDir = `${checkout}/.corner/bench-${process.pid}`;
  const stores = makeStores(16);
  await mkdir(dataDir, { recursive: true });
  try {
    await prepareServer(dataDir, statements);
    // Never on servers that hold something else, and never against Stripe.
    const { DATABASE_URL: _database, NATS_URL: _nats, NATS_NAMESPACE: _namespace, STRIPE_SECRET_KEY: _key, ...env } = process.env;
    const system = await startSystem({ dataDir, ports: 'any', env: { ...env, RATE_LIMITS: 'off' }, directory: directoryOf(stores), stop });
    const database = new pg.Pool({ connectionString: system.databaseUrl, max: 8 });
    database.on('error', () => {});
    const end = async () => {
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    stop.addEventListener('abort', () => void end().finally(() => process.exit(130)));
    return {
      system,
      stores,
      database,
      async [Symbol.asyncDispose]() {
        await database.end();
        await end();
      },
    };
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** Makes the server note when each transaction committed, and on request what statements cost. Both take a restart: nobody is connected yet. */
async function prepareServer(dataDir: string, statements: boolean): Promise<void> {
  await using server = await startPostgres({ dataFolder: `${dataDir}/postgres` });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('alter system set track_commit_timestamp = on');
  if (statements) await client.query('alter system set shared_preload_libraries = pg_stat_statements');
  await client.end();
}
