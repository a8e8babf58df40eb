import { loginFault } from '@corner/nats';
import { createAuthenticate } from './auth/caller.ts';
import { createVerifyToken, signingKeys } from './auth/verify-token.ts';
import { type Backbone, startBackbone } from './backbone.ts';
import { beginConnecting } from './broker/broker-connection.ts';
import { ConfigFault, type ServiceConfig } from './config.ts';
import { type Database, openDatabase } from './database/database.ts';
import { databaseClock } from './database/database-clock.ts';
import { postgresConnection } from './database/postgres-connection.ts';
import { holdProcessLock } from './database/process-lock.ts';
import { uuidv7 } from './database/uuids.ts';
import { whenReachable } from './database/when-reachable.ts';
import { armCrashPoint } from './errors/crash-point.ts';
import { listenHttp } from './http/http-server.ts';
import { createLiveStreams } from './http/live-streams.ts';
import { keepOwnClaims } from './http/own-claims.ts';
import { recordRefusals } from './http/refusals.ts';
import { serve } from './http/serve.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { type Jobs, startJobs } from './jobs/jobs.ts';
import { observeBackbone, observeDatabase } from './operator/observe-service.ts';
import { addServiceHealth, serviceHealth } from './operator/service-health.ts';
import { createCall } from './rpc/call.ts';
import type { Overrides, ServiceDefinition } from './service-definition.ts';
import { createLog, type Log, withLogFields } from './telemetry/log.ts';

export interface RunningService<Context> extends AsyncDisposable {
  readonly url: string;
  readonly context: Context;
  readonly database: Database;
  readonly log: Log;
  /** Resolves once the broker was reached. Rejects when the service stops before that. */
  readonly backbone: Promise<Backbone>;
  /** Makes the service report that it is not ready, from now on. */
  beginDraining(): void;
}

/**
 * Starts a service and resolves when it listens. The parts start in the order written here, and disposal stops them in the opposite order:
 * requests in progress finish first, the database closes last. When a part fails to start, those before it are stopped.
 */
export async function startService<Context>(
  definition: ServiceDefinition<Context>,
  config: ServiceConfig,
  overrides: Overrides = {},
): Promise<RunningService<Context>> {
  if (config.NODE_ENV === 'production' && config.CRASH_AT) throw new Error('CRASH_AT is for tests: it is refused in production');
  armCrashPoint(config.CRASH_AT);
  const { name, migrations } = definition;
  const clock = databaseClock();
  const {
    now = clock.now,
    newId = () => uuidv7(clock.now()),
    log = createLog(name, config.LOG_LEVEL),
    watch,
    timersHeld = false,
  } = overrides;
  let draining = false;
  await using starting = new AsyncDisposableStack();

  const postgres = postgresConnection(config.DATABASE_URL);
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, DATABASE_CONNECT_MS: connectMs, DATABASE_RESPONSE_MS: responseMs } = config;
  const open = () => openDatabase({ url, poolSize, connectMs, responseMs, now, newId, ...(watch ? { watch } : {}) });
  const database = starting.use(await whenReachable(open, log));
  starting.defer(observeDatabase(database));
  if (!overrides.now) starting.use(await clock.follow(database, log));

  const processLock = starting.use(holdProcessLock({ service: name, postgres, log }));
  const connection = starting.use(beginConnecting({ ...natsOf(config), name, log }));
  const call = createCall(connection.current, config.RPC_DEADLINE_FACTOR);
  const keys = signingKeys(overrides.keys ?? config.AUTH_JWKS_URL);
  const tokens = { issuer: config.AUTH_ISSUER, keys, now, subjectClaim: config.AUTH_SUBJECT_CLAIM };
  const context = definition.context({
    database,
    call,
    verifyToken: createVerifyToken(tokens),
    log,
    now,
    newId,
    processLock: processLock.id,
  });

  if (definition.observe) starting.defer(definition.observe(context));

  let connected: Backbone | null = null;
  const health = serviceHealth({
    service: name,
    database,
    migrations,
    broker: connection.current,
    relay: () => connected?.relay ?? null,
    consumers: () => connected?.consumers ?? null,
    draining: () => draining,
  });
  const parts = { postgres, database, context, log, call, health, startedAt: now() };
  const backbone = connection.broker.then((broker) => startBackbone(definition, { ...parts, broker }));
  backbone.then(
    (started) => {
      connected = started;
    },
    () => {}, // Only giving up the wait rejects it; a caller that awaits it gets the rejection.
  );
  starting.defer(observeBackbone(name, { backbone: () => connected, eventHandlers: definition.eventHandlers ?? {} }));
  starting.defer(async () => {
    connection.giveUpWaiting();
    await (await backbone.catch(() => null))?.[Symbol.asyncDispose]();
  });

  const jobs = { ...definition.jobs, housekeeping: housekeeping(database) } as Jobs<Context>;
  starting.use(await withLogFields({ background: 'jobs' }, () => startJobs({ database, jobs, context, log, timersHeld })));

  const refusals = starting.use(recordRefusals(database, log));
  const claims = starting.use(keepOwnClaims(log));
  const live = createLiveStreams({ producer: name, broker: connection.current, log, timersHeld });
  const app = serve({
    ...definition,
    context,
    database,
    refusals,
    processLock,
    claims,
    live,
    authenticate: createAuthenticate({ ...tokens, audience: config.AUTH_AUDIENCE }),
    log,
    newId,
    idempotencyKey: config.IDEMPOTENCY_KEY,
    health: (server) => addServiceHealth(server, health),
  });
  const server = await listenHttp(app, { host: config.HOST, port: config.PORT, fd: config.PORT_FD });
  starting.defer(() => server.drain());
  starting.use(live);
  log.info({ port: server.port }, 'listening');

  const running = starting.move();
  const beginDraining = () => {
    draining = true;
  };
  const stop = async () => {
    beginDraining();
    await running.disposeAsync();
    log.info('stopped');
  };
  return { url: server.url, context, database, log, backbone, beginDraining, [Symbol.asyncDispose]: stop };
}

/** Throws a {@link ConfigFault} when the settings of the login do not fit together. */
function natsOf(config: ServiceConfig) {
  const fault = loginFault(config);
  if (fault) throw new ConfigFault([fault]);
  return { login: config, namespace: config.NATS_NAMESPACE };
}
