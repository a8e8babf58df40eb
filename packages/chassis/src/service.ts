import type { AnyOperation, ServiceName } from '@corner/contracts';
import { loginFault } from '@corner/nats';
import type { JWTVerifyGetKey } from 'jose';
import { createAuthenticate } from './auth/caller.ts';
import { createVerifyToken, signingKeys, type VerifyToken } from './auth/verify-token.ts';
import type { Broker } from './broker/broker.ts';
import { beginConnecting } from './broker/broker-connection.ts';
import { ConfigFault, type ServiceConfig } from './config.ts';
import { type Database, openDatabase } from './database/database.ts';
import type { WatchStatement } from './database/interceptors.ts';
import { type PostgresConnection, postgresConnection } from './database/postgres-connection.ts';
import { holdProcessLock } from './database/process-lock.ts';
import { uuidv7 } from './database/uuidv7.ts';
import { armCrashPoint } from './errors/crash-point.ts';
import { listenHttp } from './http/http-server.ts';
import { createLiveStreams } from './http/live-streams.ts';
import type { Operations } from './http/operation.ts';
import { keepOwnClaims } from './http/own-claims.ts';
import { recordRefusals } from './http/refusals.ts';
import { serve, type Webhook } from './http/serve.ts';
import { type Consumers, startConsumers } from './inbox/consumer.ts';
import type { DeadLetterHandlers } from './inbox/dead-letter.ts';
import type { EventHandlers } from './inbox/event-handler.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { type Jobs, startJobs } from './jobs/jobs.ts';
import { observeBackbone, observeDatabase } from './operator/observe-service.ts';
import { type Explain, operatorRpcs } from './operator/operator-rpcs.ts';
import { addServiceHealth } from './operator/service-health.ts';
import { type Relay, startRelay } from './outbox/relay.ts';
import { type Call, createCall } from './rpc/call.ts';
import type { RpcHandlers } from './rpc/handle-rpc.ts';
import { startRpcServer } from './rpc/server.ts';
import { createLog, type Log, withLogFields } from './telemetry/log.ts';

/** A service: its entry points, by kind. A kind that a service does not have is left out. */
export interface ServiceDefinition<Context> {
  readonly name: ServiceName;
  readonly contracts: Readonly<Record<string, AnyOperation>>;
  readonly operations: Operations<Context>;
  readonly eventHandlers?: EventHandlers<Context>;
  readonly rpcHandlers?: RpcHandlers<Context>;
  readonly jobs?: Jobs<Context>;
  readonly webhooks?: readonly Webhook<Context>[];
  /** What the service's own tables have on record, for the command `explain`. */
  readonly explain?: Explain<Context>;
  /** Reports the service's own gauges at every collection. Returns a function that stops it. */
  readonly observe?: (context: Context) => () => void;
  /** How the service retries its own kinds of dead letters, which are not events. */
  readonly deadLetterHandlers?: DeadLetterHandlers<Context>;
  /** Folder of the service's migrations. The service is ready once all are applied. */
  readonly migrations: string;
  readonly context: (platform: Platform) => Context;
}

/** What the chassis provides for a service's context. */
export interface Platform {
  readonly database: Database;
  readonly call: Call;
  /** Verifies a token that comes in addition to the caller's own. */
  readonly verifyToken: VerifyToken;
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** What a test replaces: the clock, the source of ids, the signing keys, the log, the relay's interval; and a watch on statements. */
export interface Overrides {
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly keys?: JWTVerifyGetKey;
  readonly log?: Log;
  /** Called with every SQL statement, to count round trips. */
  readonly watch?: WatchStatement;
  /** Milliseconds between the relay's checks that the broker holds what it acknowledged. */
  readonly relayCheckMs?: number;
}

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

/** The parts of a service that need the broker. */
export interface Backbone extends AsyncDisposable {
  readonly broker: Broker;
  readonly relay: Relay;
  readonly consumers: Consumers;
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
  const { now = () => new Date(), newId = uuidv7, log = createLog(name, config.LOG_LEVEL), watch } = overrides;
  let draining = false;
  await using starting = new AsyncDisposableStack();

  const postgres = postgresConnection(config.DATABASE_URL);
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, DATABASE_CONNECT_MS: connectMs } = config;
  const database = starting.use(await openDatabase({ url, poolSize, connectMs, now, newId, ...(watch ? { watch } : {}) }));
  starting.defer(observeDatabase(database));

  const connection = starting.use(beginConnecting({ ...natsOf(config), name, log }));
  const call = createCall(connection.current, config.RPC_DEADLINE_FACTOR);
  const keys = signingKeys(overrides.keys ?? config.AUTH_JWKS_URL);
  const tokens = { issuer: config.AUTH_ISSUER, keys, now, subjectClaim: config.AUTH_SUBJECT_CLAIM };
  const context = definition.context({ database, call, verifyToken: createVerifyToken(tokens), log, now, newId });

  if (definition.observe) starting.defer(definition.observe(context));

  const backbone = connection.broker.then((broker) => startBackbone(definition, { broker, postgres, database, context, log, overrides }));
  let connected: Backbone | null = null;
  backbone.then(
    (started) => {
      connected = started;
    },
    () => {}, // Only giving up the wait rejects it; a caller that awaits it gets the rejection.
  );
  starting.defer(async () => {
    connection.giveUpWaiting();
    await (await backbone.catch(() => null))?.[Symbol.asyncDispose]();
  });

  const jobs = { ...definition.jobs, housekeeping: housekeeping(database) } as Jobs<Context>;
  starting.use(await withLogFields({ background: 'jobs' }, () => startJobs({ database, jobs, context, log })));

  const processLock = starting.use(holdProcessLock({ service: name, postgres, log }));
  const refusals = starting.use(recordRefusals(database, log));
  const claims = starting.use(keepOwnClaims(log));
  const live = createLiveStreams({ producer: name, broker: connection.current, log });
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
    health: (server) =>
      addServiceHealth(server, {
        service: name,
        database,
        migrations,
        broker: connection.current,
        relay: () => connected?.relay ?? null,
        consumers: () => connected?.consumers ?? null,
        draining: () => draining,
      }),
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
  return { login: config, namespace: config.NATS_NAMESPACE, replicas: config.NATS_REPLICAS };
}

interface BackboneOptions<Context> {
  readonly broker: Broker;
  readonly postgres: PostgresConnection;
  readonly database: Database;
  readonly context: Context;
  readonly log: Log;
  readonly overrides: Overrides;
}

/** Starts the relay, the consumers and the RPC server. Disposal stops them in the opposite order. */
async function startBackbone<Context>(
  { name, eventHandlers = {}, deadLetterHandlers = {}, rpcHandlers = {}, explain }: ServiceDefinition<Context>,
  { broker, postgres, database, context, log, overrides: { relayCheckMs: checkMs } }: BackboneOptions<Context>,
): Promise<Backbone> {
  const service = name;
  const parts = new AsyncDisposableStack();
  const relay = parts.use(startRelay({ service, postgres, broker, log, ...(checkMs ? { checkMs } : {}) }));
  database.onPublish(relay.wake);
  parts.defer(observeBackbone(service, { broker, relay, eventHandlers }));
  const inbox = { database, eventHandlers, context, log };
  const consumers = parts.use(startConsumers({ ...inbox, service, postgres, broker }));
  const forOperator = operatorRpcs(service, broker, { ...inbox, deadLetterHandlers }, explain);
  parts.use(startRpcServer({ service, broker, rpcHandlers: [...Object.values(rpcHandlers), ...forOperator], context, log }));
  return { broker, relay, consumers, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
