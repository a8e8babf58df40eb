import { connectNats } from '@corner/nats';
import { applyDirectory, callerOf, importDirectory } from '@corner/operator';
import { demoDirectory } from '@corner/sandbox/demo';
import { type RunningSystem, type StartOptions, startSystem } from '@corner/sandbox/system';
import { testFolder } from '@corner/testkit';
import { type Collector, startCollector } from './collector.ts';
import { type History, openHistory } from './history.ts';

/** The whole platform as separate processes with its own Postgres and NATS, and a collector that receives all its spans. */
export interface TestEnvironment extends AsyncDisposable {
  readonly system: RunningSystem;
  readonly history: History;
  readonly collector: Collector;
  readonly folder: string;
}

/**
 * Starts the platform on servers that a test may kill, never those of DATABASE_URL or NATS_URL. `settings` override the environment. Optional
 * services run, and the console, where a test asks for them.
 */
export async function startTestEnvironment(
  settings: Readonly<Record<string, string>> = {},
  options: Pick<StartOptions, 'natsOperators' | 'databaseOfEach' | 'console' | 'shop' | 'optional' | 'directory'> = {},
): Promise<TestEnvironment> {
  const folder = await testFolder();
  const collector = await startCollector();
  const { DATABASE_URL: _database, NATS_URL: _nats, STRIPE_SECRET_KEY: _key, ...env } = process.env;
  const system = await startSystem({
    dataDir: folder.path,
    ports: 'any',
    ...options,
    // One machine sends the requests of all customers; the gateway's own tests cover rate limits.
    env: { ...env, LOG_LEVEL: 'info', RATE_LIMITS: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings },
  });
  if (options.directory === undefined) await cancelDemoBookings(system);
  return {
    system,
    collector,
    history: openHistory(`${folder.path}/history.jsonl`),
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await system.stop();
      await collector[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

let shared: Promise<TestEnvironment> | undefined;

/**
 * Returns the platform that the test files of this process share, with a history of the file's own. It ends with the process. A file that uses
 * it leaves every part running, with no fault and no crash point set, and takes customers of its own. After a file that did not, another starts.
 */
export async function sharedEnvironment(): Promise<TestEnvironment> {
  const before = await shared?.catch(() => undefined);
  if (!before || !allParts(before.system).every(({ running }) => running)) {
    await before?.[Symbol.asyncDispose]();
    if (!shared)
      process.once(
        'disconnect',
        () =>
          void shared?.then(
            (environment) => environment[Symbol.asyncDispose](),
            () => {},
          ),
      );
    shared = startTestEnvironment();
  }
  const environment = await (shared as Promise<TestEnvironment>);
  return { ...environment, history: openHistory() };
}

const allParts = ({ services, payments, messages }: RunningSystem) => [
  ...Object.values(services),
  messages,
  ...(payments ? [payments] : []),
];

/** Cancels the demo's bookings. They start at fixed times of day, so at some hours a test would find the chairs occupied. */
async function cancelDemoBookings({ natsUrl, services }: RunningSystem): Promise<void> {
  const { bookings } = demoDirectory(new Date()) as { readonly bookings: readonly object[] };
  const connection = await connectNats(natsUrl, 'test');
  const cancelled = { bookings: bookings.map((booking) => ({ ...booking, state: 'cancelled' })) };
  if (services.directory) await importDirectory(callerOf({ connection, namespace: '' }), cancelled, { by: 'test' });
  else await applyDirectory(cancelled, { connection });
  await connection.close();
}
