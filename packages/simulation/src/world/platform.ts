import { setTimeout as pause } from 'node:timers/promises';
import { withLogFields } from '@corner/chassis';
import type { Broker } from '@corner/chassis/broker';
import { currentLogFields, hostProgram } from '@corner/chassis/host';
import { type ServiceName, services } from '@corner/contracts';
import { jobs as directoryJobs, directoryProgram } from '@corner/directory/service';
import { gatewayProgram } from '@corner/gateway/gateway';
import { jobs as loyaltyJobs, loyaltyProgram } from '@corner/loyalty/service';
import { jobs as notificationsJobs, notificationsProgram } from '@corner/notifications/service';
import { type Caller, callerOf } from '@corner/operator';
import { jobs as ordersJobs, ordersProgram } from '@corner/orders/service';
import { jobs as queueJobs, queueProgram } from '@corner/queue/service';
import { type RunningPayments, startPayments } from '@corner/sandbox/payments';
import { type TestIssuer, testDatabaseForAll, testIssuer } from '@corner/testkit';
import pg from 'pg';
import { SimulatedBroker } from '../broker/simulated-broker.ts';
import { quarterMs, SimulatedClock } from '../clock.ts';
import { Gate, type Session } from '../gate.ts';
import { randomOf } from '../random.ts';
import { gateProvider } from './provider-gate.ts';
import { ServicePlace } from './service-place.ts';
import { firstBookingSeed } from './steps.ts';

export interface PlatformOptions {
  readonly seed: number;
  readonly note?: (line: string) => void;
}

export interface SimulatedPlatform extends AsyncDisposable {
  readonly seed: number;
  readonly clock: SimulatedClock;
  readonly broker: SimulatedBroker;
  readonly gate: Gate;
  readonly payments: RunningPayments;
  readonly providerUrl: string;
  readonly issuer: TestIssuer;
  readonly gatewayUrl: string;
  readonly databaseUrl: string;
  readonly warnings: readonly Record<string, unknown>[];
  readonly call: Caller;
  runJob(service: ServiceName, job: string, by?: string): Promise<void>;
  crashIn(service: ServiceName, transactions: number, when: 'before' | 'after'): void;
  /** Returns the services that were down. Cancels planned crashes too. */
  revive(): Promise<readonly ServiceName[]>;
}

const stopMs = 60_000;
const lookMs = 20;

const webhookSecret = 'whsec_simulation';

const jobsOf = { orders: ordersJobs, loyalty: loyaltyJobs, queue: queueJobs, notifications: notificationsJobs, directory: directoryJobs };

type Run = (context: unknown) => Promise<void>;

/**
 * Starts all services behind their gateway, in this process, on one Postgres, a simulated broker, a simulated payment provider and one
 * clock. The clock starts at the real time, because Postgres stamps rows by its own clock, and stands still until it is moved.
 */
export async function startSimulatedPlatform({ seed, note = () => {} }: PlatformOptions): Promise<SimulatedPlatform> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await testDatabaseForAll());
  const watcher = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  watcher.on('error', () => {});
  starting.defer(() => watcher.end());
  const clock = new SimulatedClock(startOf(seed), seed);
  const broker = new SimulatedBroker(clock);
  const gate = new Gate({ broker, clock, random: randomOf(seed, 'gate'), sessions: () => sessionsOf(watcher), note });
  const issuer = await testIssuer({ now: clock.now });
  const payments = await startPayments({
    now: clock.now,
    settleAfterMs: null,
    randomBytes: randomOf(seed, 'payments').bytes,
    // Webhooks are not retried: events are read from the provider's list instead, and no pause of the simulator is in the history.
    retry: { firstMs: 0, mostMs: 0, forMs: 0 },
  });
  starting.defer(() => payments.stop());
  const provider = starting.use(await gateProvider(payments.url, gate.of('provider', { isOver: false, end: null, cut() {} })));
  const warnings: Record<string, unknown>[] = [];
  const write = (lines: string) => {
    for (const line of lines.trim().split('\n')) warnings.push(JSON.parse(line));
  };
  const ground = { seed, clock, broker, gate, issuer, write };
  const common = commonSettings(issuer);
  const of = (name: ServiceName) => ({ ...ground, databaseUrl: database.urls[name], settings: common });
  const ofOrders = {
    ...of('orders'),
    settings: { ...common, STRIPE_SECRET_KEY: 'sk_test_corner', STRIPE_WEBHOOK_SECRETS: webhookSecret, STRIPE_TIMEOUT_MS: '60000' },
    wires: { STRIPE_API_BASE: provider.url },
  };
  const places = {
    directory: new ServicePlace(directoryProgram, of('directory')),
    orders: new ServicePlace(ordersProgram, ofOrders),
    loyalty: new ServicePlace(loyaltyProgram, of('loyalty')),
    queue: new ServicePlace(queueProgram, of('queue')),
    notifications: new ServicePlace(notificationsProgram, of('notifications')),
  };
  broker.hold(true);
  for (const name of services) await starting.use(places[name]).start();
  const urls = services.map((name) => [`${name.toUpperCase()}_URL`, places[name].url]);
  const gateway = await hostProgram(gatewayProgram, {
    folder: `${import.meta.dirname}/../..`,
    environment: { ...common, RATE_LIMITS: 'off', ...Object.fromEntries(urls) },
    write,
    overrides: { clock: clock.of('gateway'), now: clock.now, newId: randomOf(seed, 'gateway').uuid, keys: issuer.keys, timersHeld: true },
  });
  starting.defer(() => gateway.stop('the end'));
  payments.controls.webhook({ url: `${gateway.started.url}/webhooks/stripe`, secrets: [webhookSecret] });
  payments.controls.delivery({ hold: true });
  const started = starting.move();
  return {
    ...{ seed, clock, broker, gate, payments, issuer, warnings },
    gatewayUrl: gateway.started.url,
    providerUrl: provider.url,
    databaseUrl: database.adminUrl,
    call: callerOf({ connection: namingItsCall(broker.connect()), namespace: '', operator: 'simulation' }),
    async runJob(name, job, by = job) {
      const { hosted, over } = places[name];
      const run = (jobsOf[name] as Readonly<Record<string, { run: Run }>>)[job]?.run;
      if (!run) throw new RangeError(`${name} has no job ${job}`);
      const fields = { request_id: `${by}.${job}` };
      if (hosted) await Promise.race([over, hosted.within(() => withLogFields(fields, () => run(hosted.started.context)))]);
    },
    crashIn: (name, transactions, when) => places[name].crashIn(transactions, when),
    async revive() {
      const down = services.filter((name) => !places[name].hosted);
      for (const name of services) places[name].spare();
      for (const name of down) {
        await untilGone(watcher, new URL(database.urls[name]).username);
        await places[name].start();
      }
      return down;
    },
    async [Symbol.asyncDispose]() {
      gate.open();
      broker.hold(false);
      payments.controls.webhook(null);
      // Timers stop when their time has come. Whatever is stuck does not stop; its database ends with the run.
      const stopping = started.disposeAsync().then(() => true);
      for (let ms = 0; ms < stopMs && !(await Promise.race([stopping, pause(lookMs, false, { ref: false })])); ms += lookMs)
        clock.jump(1_000);
    },
  };
}

const namingItsCall = (broker: Broker) => ({
  request: (subject: string, body: string, { timeout }: { readonly timeout: number }) =>
    broker.request(subject, body, { timeout, headers: { 'X-Request-Id': currentLogFields().request_id ?? '' } }),
});

const commonSettings = ({ issuer, audience }: TestIssuer) => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'warn',
  DATABASE_CONNECT_MS: '60000',
  DATABASE_RESPONSE_MS: '60000',
  NATS_URL: 'nats://simulated.invalid',
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: audience,
  AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
});

/**
 * Rounds up to a quarter of an hour for seeds with bookings, always ahead of Postgres's clock, so that a booking is equally far ahead in
 * each run of a seed.
 */
const startOf = (seed: number): Date =>
  seed < firstBookingSeed ? new Date() : new Date(Math.ceil((Date.now() + aheadMs) / quarterMs) * quarterMs);
const aheadMs = 120_000;

async function untilGone(watcher: pg.Pool, role: string): Promise<void> {
  const text = 'select from pg_stat_activity where usename = $1 and datname = current_database()';
  while ((await watcher.query(text, [role])).rowCount !== 0);
}

/** Uses a pool that is not tracked, so that a look does not count as work. */
async function sessionsOf(watcher: pg.Pool): Promise<readonly Session[]> {
  const text = `select pid, state, wait_event_type, pg_blocking_pids(pid) as behind, left(regexp_replace(query, '\\s+', ' ', 'g'), 200) as query
    from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type = 'client backend' and state is distinct from 'idle'
      -- One that still logs in has no database.
      and (datname = current_database() or datname is null)`;
  const { rows } = await watcher.query<SessionRow>(text);
  return rows.map(sessionOf);
}

interface SessionRow {
  readonly pid: number;
  readonly state: string | null;
  readonly wait_event_type: string | null;
  readonly behind: readonly number[];
  readonly query: string;
}

const sessionOf = ({ pid, state, wait_event_type, behind, query }: SessionRow): Session => ({
  waitsForLock: wait_event_type === 'Lock',
  says: `${pid} ${state ?? 'logs in'}${behind.length > 0 ? `, behind ${behind.join(', ')}` : ''}: ${query}`,
});
