import type { ServiceName } from '@corner/contracts';
import { loginFault } from '@corner/nats';
import { type Authenticate, createAuthenticate } from './auth/caller.ts';
import { createVerifyToken, signingKeys } from './auth/verify-token.ts';
import { type Backbone, startBackbone } from './backbone.ts';
import { type BrokerConnection, beginConnecting, connectedTo } from './broker/broker-connection.ts';
import { silencedConnection } from './broker/shadow-broker.ts';
import { ConfigFault, type ServiceConfig } from './config.ts';
import { createChanges } from './database/changes.ts';
import { type Database, openDatabase } from './database/database.ts';
import { databaseClock } from './database/database-clock.ts';
import { type PostgresConnection, postgresConnection } from './database/postgres-connection.ts';
import { holdProcessLock, type ProcessLock } from './database/process-lock.ts';
import { uuidv7 } from './database/uuids.ts';
import { whenReachable } from './database/when-reachable.ts';
import { armCrashPoint } from './errors/crash-point.ts';
import type { HealthOptions } from './http/health.ts';
import { type ListeningServer, listenHttp } from './http/http-server.ts';
import { createLiveStreams } from './http/live-streams.ts';
import { keepOwnClaims } from './http/own-claims.ts';
import { createPolledReplies } from './http/polled-replies.ts';
import { recordRefusals } from './http/refusals.ts';
import { serve } from './http/serve.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { type Jobs, startJobs } from './jobs/jobs.ts';
import { observeBackbone, observeDatabase } from './operator/observe-service.ts';
import { addServiceHealth, serviceHealth } from './operator/service-health.ts';
import { type Call, createCall } from './rpc/call.ts';
import type { Overrides, ServiceDefinition } from './service-definition.ts';
import { compareWithReal, refuseUsedDatabase } from './shadow.ts';
import { createLog, type Log, withLogFields } from './telemetry/log.ts';

export interface RunningService<Context> extends AsyncDisposable {
  readonly url: string;
  readonly context: Context;
  readonly database: Database;
  readonly log: Log;
  readonly backbone: Promise<Backbone>;
  readonly ended: Promise<number> | undefined;
  beginDraining(): void;
}

/**
 * Starts a service and resolves when it listens. Parts stop in the opposite order: requests finish first, the database closes last. When
 * one fails to start, those before it are stopped.
 */
export async function startService<Context>(
  definition: ServiceDefinition<Context>,
  config: ServiceConfig,
  overrides: Overrides = {},
): Promise<RunningService<Context>> {
  if (config.NODE_ENV === 'production' && config.CRASH_AT) throw new Error('CRASH_AT is for tests: it is refused in production');
  armCrashPoint(config.CRASH_AT);
  await using starting = new AsyncDisposableStack();
  const isShadow = config.SHADOW !== undefined;
  const requestsOnly = config.REQUESTS_ONLY !== undefined;
  const ground = await openGround(definition.name, config, overrides, starting);
  const { database, log, now, newId, call, processLock } = ground;
  if (isShadow) await refuseUsedDatabase(database);
  const keys = signingKeys(overrides.keys ?? config.AUTH_JWKS_URL);
  const tokens = {
    issuer: config.AUTH_ISSUER,
    keys,
    now,
    subjectClaim: config.AUTH_SUBJECT_CLAIM,
  };
  const context = definition.context({
    database,
    broker: ground.connection.current,
    call,
    verifyToken: createVerifyToken(tokens),
    log,
    now,
    newId,
    processLock: processLock.id,
  });
  if (definition.observe) starting.defer(definition.observe(context));

  let draining = false;
  // A shadow starts nothing on a timer: a job may send.
  const timersHeld = isShadow || overrides.timersHeld === true;
  const gathering = { ...definition, ...(timersHeld ? { gatherMs: 0 } : {}), ...(requestsOnly ? { eventHandlers: {} } : {}) };
  const { backbone, health } = beginBackbone(
    gathering,
    { ...ground, context, keys: keys.whyNever, shadow: isShadow, servesRpcs: !isShadow && !requestsOnly, draining: () => draining },
    starting,
  );
  const jobs = { ...definition.jobs, housekeeping: housekeeping(database, definition.logs) } as Jobs<Context>;
  const jobsHeld = timersHeld || requestsOnly;
  starting.use(await withLogFields({ background: 'jobs' }, () => startJobs({ database, jobs, context, log, timersHeld: jobsHeld })));
  const authenticate = createAuthenticate({ ...tokens, audience: config.AUTH_AUDIENCE });
  const server = await listen(definition, { ...ground, config, context, health, authenticate, timersHeld }, starting);
  log.info({ port: server.port }, 'listening');

  const ended = isShadow ? shadowOf(definition, ground, starting) : undefined;
  const running = starting.move();
  const beginDraining = () => {
    draining = true;
  };
  const stop = async () => {
    beginDraining();
    await running.disposeAsync();
    log.info('stopped');
  };
  return { url: server.url, context, database, log, backbone, ended, beginDraining, [Symbol.asyncDispose]: stop };
}

function shadowOf<Context>(
  { name, eventHandlers = {} }: ServiceDefinition<Context>,
  { database, connection, log, now }: Ground,
  starting: AsyncDisposableStack,
): Promise<number> {
  const stop = new AbortController();
  starting.defer(() => stop.abort());
  const producers = [...new Set(Object.values(eventHandlers).flatMap(({ event }) => event.producers))];
  const ended = compareWithReal({ service: name, producers, database, broker: connection.broker, log, now, stopped: stop.signal });
  ended.catch(() => {}); // A caller that awaits it gets the rejection.
  return ended;
}

interface Ground {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  readonly postgres: PostgresConnection;
  readonly database: Database;
  readonly processLock: ProcessLock;
  readonly connection: BrokerConnection;
  readonly call: Call;
}

async function openGround(
  service: ServiceName,
  config: ServiceConfig,
  overrides: Overrides,
  starting: AsyncDisposableStack,
): Promise<Ground> {
  const clock = databaseClock();
  const { now = clock.now, newId = () => uuidv7(clock.now()), log = createLog(service, config.LOG_LEVEL), watch } = overrides;
  const postgres = postgresConnection(config.DATABASE_URL);
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, DATABASE_CONNECT_MS: connectMs, DATABASE_RESPONSE_MS: responseMs } = config;
  const open = () =>
    openDatabase({ url, poolSize, connectMs, responseMs, now, newId, turns: overrides.turns, ...(watch ? { watch } : {}) });
  const database = starting.use(await whenReachable(open, log));
  starting.defer(observeDatabase(database));
  if (!overrides.now) starting.use(await clock.follow(database, log));
  const processLock = starting.use(holdProcessLock({ service, postgres, log }));
  const reached = overrides.broker ? connectedTo(overrides.broker(service)) : beginConnecting({ ...natsOf(config), name: service, log });
  const connection = starting.use(config.SHADOW === undefined ? reached : silencedConnection(reached));
  const call = createCall(connection.current, config.RPC_DEADLINE_FACTOR);
  return { now, newId, log, postgres, database, processLock, connection, call };
}

function beginBackbone<Context>(
  definition: ServiceDefinition<Context>,
  parts: Ground & {
    readonly context: Context;
    readonly keys: () => Promise<string | null>;
    readonly shadow: boolean;
    readonly servesRpcs: boolean;
    readonly draining: () => boolean;
  },
  starting: AsyncDisposableStack,
): { readonly backbone: Promise<Backbone>; readonly health: HealthOptions } {
  const { name, migrations, eventHandlers = {}, needs, signsTokens = false } = definition;
  const { connection, database, draining, keys } = parts;
  let connected: Backbone | null = null;
  const health = serviceHealth({
    service: name,
    database,
    migrations,
    draining,
    keys,
    signsTokens,
    broker: connection.current,
    relay: () => connected?.relay ?? null,
    consumers: () => connected?.consumers ?? null,
    own: { ...needs?.(parts.context), ...(parts.shadow ? { shadow: async () => 'a shadow serves no requests' } : {}) },
  });
  const startedAt = parts.now();
  const backbone = connection.broker.then((broker) => startBackbone(definition, { ...parts, health, startedAt, broker }));
  backbone.then(
    (started) => {
      connected = started;
    },
    () => {}, // Only giving up the wait rejects it; a caller that awaits it gets the rejection.
  );
  starting.defer(observeBackbone(name, { backbone: () => connected, eventHandlers }));
  starting.defer(async () => {
    connection.giveUpWaiting();
    await (await backbone.catch(() => null))?.[Symbol.asyncDispose]();
  });
  return { backbone, health };
}

async function listen<Context>(
  definition: ServiceDefinition<Context>,
  parts: Ground & ServingParts<Context>,
  starting: AsyncDisposableStack,
): Promise<ListeningServer> {
  const { config, database, log, connection, health, timersHeld, processLock, now } = parts;
  const refusals = starting.use(recordRefusals(database, log));
  const claims = starting.use(keepOwnClaims(log));
  const live = createLiveStreams({ producer: definition.name, broker: connection.current, log, timersHeld, max: config.MAX_STREAMS });
  const changes = definition.polled ? createChanges(() => processLock.session, log) : null;
  const polled = changes && createPolledReplies(changes, definition.polled ?? [], now);
  const app = serve({
    ...definition,
    ...parts,
    refusals,
    claims,
    live,
    polled,
    idempotencyKey: config.IDEMPOTENCY_KEY,
    health: (server) => addServiceHealth(server, health),
  });
  const server = await listenHttp(app, { host: config.HOST, port: config.PORT, fd: config.PORT_FD });
  starting.defer(() => server.drain());
  starting.use(live);
  return server;
}

interface ServingParts<Context> {
  readonly config: ServiceConfig;
  readonly context: Context;
  readonly health: HealthOptions;
  readonly authenticate: Authenticate;
  readonly timersHeld: boolean;
}

function natsOf(config: ServiceConfig) {
  const fault = loginFault(config);
  if (fault) throw new ConfigFault([fault]);
  return { login: config, namespace: config.NATS_NAMESPACE };
}
