import { join } from 'node:path';
import { type ProcessConfig, withLogFields } from '@corner/chassis';
import { hostProgram, type Program, type Runnable } from '@corner/chassis/host';
import { type ServiceName, services } from '@corner/contracts';
import { directoryProgram, jobs as directoryJobs } from '@corner/directory/service';
import { gatewayProgram } from '@corner/gateway/gateway';
import { jobs as loyaltyJobs, loyaltyProgram } from '@corner/loyalty/service';
import { notificationsProgram, jobs as notificationsJobs } from '@corner/notifications/service';
import { type Caller, callerOf } from '@corner/operator';
import { jobs as ordersJobs, ordersProgram } from '@corner/orders/service';
import { jobs as queueJobs, queueProgram } from '@corner/queue/service';
import { type RunningPayments, startPayments } from '@corner/sandbox/payments';
import { testDatabaseForAll, type TestIssuer, testIssuer } from '@corner/testkit';
import pg from 'pg';
import { SimulatedBroker } from '../broker/simulated-broker.ts';
import { SimulatedClock } from '../clock.ts';
import { Gate } from '../gate.ts';
import { randomOf } from '../random.ts';

export interface PlatformOptions {
  readonly seed: number;
  /** Receives what goes next at the gate. */
  readonly note?: (line: string) => void;
}

/** All services behind their gateway, in this process, on a Postgres, a simulated broker, a simulated payment provider and one clock. */
export interface SimulatedPlatform extends AsyncDisposable {
  readonly seed: number;
  readonly clock: SimulatedClock;
  readonly broker: SimulatedBroker;
  readonly gate: Gate;
  readonly payments: RunningPayments;
  readonly issuer: TestIssuer;
  readonly gatewayUrl: string;
  /** An administrator's address of the database of all. */
  readonly databaseUrl: string;
  /** Lines that the programs logged, of the level `warn` and above. */
  readonly warnings: readonly Record<string, unknown>[];
  /** Calls an RPC as an operator. */
  readonly call: Caller;
  /** Runs a job of a service now. */
  runJob(service: ServiceName, job: string): Promise<void>;
}

const webhookSecret = 'whsec_simulation';

/** The jobs that a world runs, each when the seed says so, as if it were due then. */
const jobsOf = { orders: ordersJobs, loyalty: loyaltyJobs, queue: queueJobs, notifications: notificationsJobs, directory: directoryJobs };

/** Starts the platform. Its time is that of the start, because Postgres stamps rows by its own clock, and stands still until it is moved. */
export async function startSimulatedPlatform({ seed, note = () => {} }: PlatformOptions): Promise<SimulatedPlatform> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await testDatabaseForAll());
  const watcher = new pg.Client({ connectionString: database.adminUrl });
  await watcher.connect();
  starting.defer(() => watcher.end());
  const clock = new SimulatedClock(new Date(), seed);
  const broker = new SimulatedBroker(clock);
  const gate = new Gate({ broker, clock, random: randomOf(seed, 'gate'), isIdle: () => isIdle(watcher), note });
  const issuer = await testIssuer({ now: clock.now });
  const payments = await startPayments({ now: clock.now, settleAfterMs: null, randomBytes: randomOf(seed, 'payments').bytes });
  starting.defer(() => payments.stop());
  const warnings: Record<string, unknown>[] = [];
  const common = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    DATABASE_CONNECT_MS: '60000',
    DATABASE_RESPONSE_MS: '60000',
    NATS_URL: 'nats://simulated.invalid',
    AUTH_ISSUER: issuer.issuer,
    AUTH_AUDIENCE: issuer.audience,
    AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
  };
  const host = async <Config extends ProcessConfig, Started extends Runnable>(program: Program<Config, Started>, settings: Readonly<Record<string, string>>) => {
    const hosted = await hostProgram(program, {
      folder: join(import.meta.dirname, '..', '..'),
      environment: { ...common, ...settings },
      write: (lines) => {
        for (const line of lines.trim().split('\n')) warnings.push(JSON.parse(line));
      },
      overrides: {
        clock,
        now: clock.now,
        newId: idsOf(seed, program.name, clock),
        keys: issuer.keys,
        timersHeld: true,
        broker: () => broker.connect(),
        turns: gate.of(program.name),
      },
    });
    starting.defer(() => hosted.stop('the end'));
    return hosted;
  };
  const service = <Config extends ProcessConfig, Started extends Runnable>(program: Program<Config, Started>, name: ServiceName, settings = {}) =>
    host(program, { DATABASE_URL: database.urls[name], ...settings });
  const running = {
    directory: await service(directoryProgram, 'directory'),
    orders: await service(ordersProgram, 'orders', {
      STRIPE_SECRET_KEY: 'sk_test_corner',
      STRIPE_API_BASE: payments.url,
      STRIPE_WEBHOOK_SECRETS: webhookSecret,
      STRIPE_TIMEOUT_MS: '60000',
    }),
    loyalty: await service(loyaltyProgram, 'loyalty'),
    queue: await service(queueProgram, 'queue'),
    notifications: await service(notificationsProgram, 'notifications'),
  };
  const urls = services.map((name) => [`${name.toUpperCase()}_URL`, running[name].started.url]);
  const gateway = await host(gatewayProgram, { RATE_LIMITS: 'off', ...Object.fromEntries(urls) });
  payments.controls.webhook({ url: `${gateway.started.url}/webhooks/stripe`, secrets: [webhookSecret] });
  payments.controls.delivery({ hold: true });
  const caller = broker.connect();
  let jobs = 0;
  const started = starting.move();
  return {
    ...{ seed, clock, broker, gate, payments, issuer, warnings },
    gatewayUrl: gateway.started.url,
    databaseUrl: database.adminUrl,
    call: callerOf({ connection: caller, namespace: '', operator: 'simulation' }),
    async runJob(name, job) {
      const { within, started } = running[name];
      const run = (jobsOf[name] as Readonly<Record<string, { run(context: unknown): Promise<void> }>>)[job]?.run;
      if (!run) throw new RangeError(`${name} has no job ${job}`);
      jobs += 1;
      await within(() => withLogFields({ job: `${job} ${jobs}` }, () => run(started.context)));
    },
    async [Symbol.asyncDispose]() {
      gate.open();
      broker.hold(false);
      payments.controls.webhook(null);
      await started.disposeAsync();
    },
  };
}

/** Ids of a program. Those of one run are those of any other, so they tell the time since the start. */
function idsOf(seed: number, program: string, clock: SimulatedClock): () => string {
  const random = randomOf(seed, program);
  return () => random.uuid(new Date(Date.UTC(2026, 0, 1) + clock.elapsedMs()));
}

/** Whether no connection of a program has a statement or a transaction under way. */
async function isIdle(watcher: pg.Client): Promise<boolean> {
  const { rows } = await watcher.query<{ busy: boolean }>({
    name: 'is-idle',
    text: `select exists (
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'
      ) as busy`,
  });
  return rows[0]?.busy === false;
}
