import { applyDirectory, connectNats, demoDirectory, type RunningSystem, startSystem } from '@corner/sandbox';
import { testFolder } from '@corner/testkit';
import { type History, openHistory } from '../history.ts';
import { type Collector, startCollector } from './collector.ts';

/** The whole platform as separate processes on servers of its own, and all its spans. */
export interface SystemUnderTest extends AsyncDisposable {
  readonly system: RunningSystem;
  readonly history: History;
  readonly collector: Collector;
  /** Holds the logs of the processes. */
  readonly folder: string;
}

/** Starts it, with settings besides, on servers that may be killed: never those of DATABASE_URL or NATS_URL. */
export async function startSystemUnderTest(settings: Readonly<Record<string, string>> = {}): Promise<SystemUnderTest> {
  const folder = await testFolder();
  const collector = await startCollector();
  const { DATABASE_URL: _database, NATS_URL: _nats, STRIPE_SECRET_KEY: _key, ...env } = process.env;
  const system = await startSystem({
    dataDir: folder.path,
    ports: 'any',
    // Limits are shown by the gateway's own tests; here one machine plays all customers.
    env: { ...env, LOG_LEVEL: 'info', RATE_LIMITS: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings },
  });
  await emptyDiary(system);
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

/** Takes the demo's bookings back: they begin and end by the clock on the wall, and a test is to find the chairs free at any hour. */
async function emptyDiary({ natsUrl }: RunningSystem): Promise<void> {
  const { bookings } = demoDirectory(new Date()) as { readonly bookings: readonly object[] };
  const connection = await connectNats(natsUrl, 'test');
  await applyDirectory({ bookings: bookings.map((booking) => ({ ...booking, state: 'cancelled' })) }, { connection });
  await connection.close();
}
