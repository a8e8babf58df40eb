import { startPlatform } from '@corner/platform';
import { demoDirectory } from '@corner/sandbox/demo';
import { type RunningSystem, type StartOptions, startSystem } from '@corner/sandbox/system';
import { type History, openHistory } from '@corner/simulation';
import { testFolder } from '@corner/testkit';
import { type Collector, startCollector } from './collector.ts';
import { publishDirectory } from './own-store.ts';

export interface TestEnvironment extends AsyncDisposable {
  readonly system: RunningSystem;
  readonly history: History;
  readonly collector: Collector;
  readonly folder: string;
}

/**
 * Starts the platform on servers that a test may kill, never those of DATABASE_URL or NATS_URL. `settings` override the environment.
 * Optional services and the console run only on request. Each part runs in this process, or with `spawned` in its own, which a test may
 * kill.
 */
export async function startTestEnvironment(
  settings: Readonly<Record<string, string>> = {},
  { spawned = false, ...options }: EnvironmentOptions = {},
): Promise<TestEnvironment> {
  const folder = await testFolder();
  const collector = await startCollector();
  const { DATABASE_URL: _database, NATS_URL: _nats, STRIPE_SECRET_KEY: _key, ...env } = process.env;
  const system = await (spawned ? startSystem : startPlatform)({
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

type EnvironmentOptions = Pick<StartOptions, 'natsOperators' | 'databaseOfEach' | 'console' | 'shop' | 'optional' | 'directory'> & {
  readonly spawned?: boolean;
};

let shared: { readonly started: Promise<TestEnvironment>; readonly isWhole: boolean } | undefined;

export const operatorOfNats = 'ada';

export const sharedVersion = '7.8.9';

/**
 * Returns the platform that the test files of this process share, with a history for this file. It ends with the process. `whole` adds the
 * directory service, the console and the storefront; a file that needs only the required parts may get the whole after another file asked
 * for it. Each part runs in this process, or with `spawned` in its own, for a file that kills parts.
 *
 * A file that uses it publishes by {@link publishDirectory}, changes only its own stores and customers, leaves no dead letter open, and
 * leaves every part running with the settings that it had. After a file that did not, another platform starts.
 */
export async function sharedEnvironment(parts: 'required' | 'whole' = 'required', { spawned = false } = {}): Promise<TestEnvironment> {
  const before = await shared?.started.catch(() => undefined);
  const isWhole = (shared?.isWhole ?? startsWhole) || parts === 'whole';
  if (!before || isWhole !== shared?.isWhole || !allParts(before.system).every(({ running }) => running)) {
    await before?.[Symbol.asyncDispose]();
    if (!shared) process.once('disconnect', () => void endShared());
    shared = { started: startShared(isWhole), isWhole };
  }
  const environment = await shared.started;
  const other = allParts(environment.system).filter((part) => part.spawned !== spawned);
  await Promise.all(other.map((part) => part.restart({ spawned })));
  return { ...environment, history: openHistory() };
}

const startsWhole = process.env.CORNER_TESTS === 'full';

const startShared = (isWhole: boolean): Promise<TestEnvironment> =>
  startTestEnvironment(
    { OTEL_RESOURCE_ATTRIBUTES: `service.version=${sharedVersion}` },
    { natsOperators: [operatorOfNats], ...(isWhole ? { optional: ['directory'], console: true, shop: true } : {}) },
  );

async function endShared(): Promise<void> {
  const environment = await shared?.started.catch(() => undefined);
  await environment?.[Symbol.asyncDispose]();
}

const allParts = ({ services, payments, messages, console, shop }: RunningSystem) =>
  [...Object.values(services), messages, payments, console, shop].filter((part) => part !== null);

/** Cancels the demo's bookings. They start at fixed times of day, so at some hours a test would find the chairs occupied. */
async function cancelDemoBookings(system: RunningSystem): Promise<void> {
  const { bookings } = demoDirectory(new Date()) as { readonly bookings: readonly object[] };
  await publishDirectory(system, { bookings: bookings.map((booking) => ({ ...booking, state: 'cancelled' })) });
}
