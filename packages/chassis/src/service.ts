import { type AnyOperation, processedBy, type ServiceName } from '@corner/contracts';
import type { JWTVerifyGetKey } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { createAuthenticate } from './auth/caller.ts';
import { createVerifyToken, signingKeys, type VerifyToken } from './auth/verify-token.ts';
import { type Broker, connectBroker } from './broker/broker.ts';
import type { ServiceConfig } from './config.ts';
import { type Database, openDatabase } from './database/database.ts';
import { missingMigrations } from './database/migrations-current.ts';
import { uuidv7 } from './database/uuidv7.ts';
import { armCrashPoint } from './errors/crash-point.ts';
import { addHealth, addMetrics } from './http/health.ts';
import { listenHttp } from './http/http-server.ts';
import type { Operations } from './http/operation.ts';
import { keepRefusals } from './http/refusals.ts';
import { serve, type Webhook } from './http/serve.ts';
import { type Consumers, startConsumers } from './inbox/consumer.ts';
import type { OwnDeadLetters } from './inbox/dead-letters.ts';
import type { EventHandlers } from './inbox/event-handler.ts';
import { processedAmong } from './inbox/inbox.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { type Jobs, startJobs } from './jobs/jobs.ts';
import { observeBackbone, observeDatabase } from './operator/metrics-of-service.ts';
import { type Explain, operatorRpcs } from './operator/operator-rpcs.ts';
import { type Relay, startRelay } from './outbox/relay.ts';
import { type Call, createCall, handleRpc, type RpcHandlers, RpcUnavailable, startRpcServer } from './rpc/rpc.ts';
import { createLog, type Log } from './telemetry/log.ts';

/** What the chassis gives a service to build its context from. */
export interface Platform {
  readonly database: Database;
  readonly call: Call;
  /** For a token that comes beside the caller's own. */
  readonly verifyToken: VerifyToken;
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** A service: its doors, by kind. An absent kind is simply absent. */
export interface ServiceDefinition<Context> {
  readonly name: ServiceName;
  readonly contracts: Readonly<Record<string, AnyOperation>>;
  readonly operations: Operations<Context>;
  readonly eventHandlers?: EventHandlers<Context>;
  readonly rpcHandlers?: RpcHandlers<Context>;
  readonly jobs?: Jobs<Context>;
  readonly webhooks?: readonly Webhook<Context>[];
  /** What its own tables say to an operator who asks what happened. */
  readonly explain?: Explain<Context>;
  /** How its own kinds of dead letters, beside events, are worked through again. */
  readonly deadLetters?: OwnDeadLetters<Context>;
  /** Folder of the service's migrations; readiness asks that all are applied. */
  readonly migrations: string;
  readonly context: (platform: Platform) => Context;
}

/** What a test may hold instead of the world: time, identity, keys, where logs go, and a watch on statements. */
export interface Overrides {
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly keys?: JWTVerifyGetKey;
  readonly log?: Log;
  readonly watch?: (statement: string) => void;
  /** Milliseconds between the relay's checks of the broker. */
  readonly relayCheckMs?: number;
}

export interface RunningService<Context> extends AsyncDisposable {
  readonly url: string;
  readonly context: Context;
  readonly database: Database;
  readonly log: Log;
  /** The backbone's parts once the broker has been reached. */
  readonly backbone: Promise<{ readonly broker: Broker; readonly relay: Relay; readonly listening: Consumers }>;
  /** Answers "not ready" from now on. */
  beginDraining(): void;
}

/** Starts a service and resolves when it listens. Disposal drains it: finish, flush, close. */
export async function startService<Context>(
  definition: ServiceDefinition<Context>,
  config: ServiceConfig,
  overrides: Overrides = {},
): Promise<RunningService<Context>> {
  if (config.NODE_ENV === 'production' && config.CRASH_AT) throw new Error('CRASH_AT is for tests: it is refused in production');
  armCrashPoint(config.CRASH_AT);
  const { name, eventHandlers = {} } = definition;
  const now = overrides.now ?? (() => new Date());
  const newId = overrides.newId ?? uuidv7;
  const log = overrides.log ?? createLog(name, config.LOG_LEVEL);
  const database = await openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    now,
    newId,
    ...(overrides.watch ? { watch: overrides.watch } : {}),
  });
  const observed = [observeDatabase(database)];
  let connected: { broker: Broker; call: Call } | null = null;
  const call: Call = async (rpc, input) => {
    if (!connected) throw new RpcUnavailable(rpc.name);
    return await connected.call(rpc, input);
  };
  const tokens = { issuer: config.AUTH_ISSUER, keys: signingKeys(overrides.keys ?? config.AUTH_JWKS_URL), now };
  const authenticate = createAuthenticate({ ...tokens, audience: config.AUTH_AUDIENCE });
  const context = definition.context({ database, call, verifyToken: createVerifyToken(tokens), log, now, newId });

  // The broker may be away: requests are served all the same, and the backbone starts when it is there.
  const stop = new AbortController();
  const backbone = (async () => {
    const broker = await connectBroker({ url: config.NATS_URL, namespace: config.NATS_NAMESPACE, name, log, stopped: stop.signal });
    connected = { broker, call: createCall(broker) };
    const relay = startRelay({
      service: name,
      databaseUrl: config.DATABASE_URL,
      broker,
      log,
      ...(overrides.relayCheckMs ? { checkMs: overrides.relayCheckMs } : {}),
    });
    database.onPublish(relay.wake);
    observed.push(observeBackbone(name, { broker, relay, eventHandlers }));
    const inbox = { database, eventHandlers, context, log, ownDeadLetters: definition.deadLetters ?? {} };
    const listening = startConsumers({ ...inbox, service: name, databaseUrl: config.DATABASE_URL, broker });
    const rpcHandlers = [
      ...Object.values(definition.rpcHandlers ?? {}),
      handleRpc(processedBy(name), ({ event_ids }) => processedAmong(database, event_ids)),
      ...operatorRpcs(name, broker, inbox, definition.explain),
    ];
    const rpcServer = startRpcServer({ service: name, broker, rpcHandlers, context, log });
    return { broker, relay, listening, rpcServer };
  })();
  // Only a stop ends the waiting for a broker; whoever awaits the backbone hears of it.
  backbone.catch(() => {});
  const jobs = await startJobs({
    database,
    jobs: { ...definition.jobs, housekeeping: housekeeping(database) } as Jobs<Context>,
    context,
    log,
  });

  let draining = false;
  const refusals = keepRefusals(database, log);
  const app = serve({
    ...definition,
    context,
    database,
    refusals,
    authenticate,
    log,
    newId,
    idempotencyKey: config.IDEMPOTENCY_KEY,
    health: (server) => {
      addMetrics(server);
      addHealth(server, {
        service: name,
        draining: () => draining,
        needs: {
          postgres: () => database.one(sql.type(z.object({ one: z.number() }))`select 1 as one`).then(() => null),
          migrations: () => missingMigrations(database, definition.migrations),
        },
        notes: {
          nats: () => (connected === null || connected.broker.connection.isClosed() ? 'not connected: events wait in the outbox' : null),
        },
      });
    },
  });
  const server = await listenHttp(app, { host: config.HOST, port: config.PORT });
  log.info({ port: server.port }, 'listening');

  return {
    url: server.url,
    context,
    database,
    log,
    backbone,
    beginDraining() {
      draining = true;
    },
    async [Symbol.asyncDispose]() {
      draining = true;
      await server.drain();
      await refusals[Symbol.asyncDispose]();
      for (const stopObserving of observed) stopObserving();
      await jobs[Symbol.asyncDispose]();
      stop.abort();
      const reached = await backbone.catch(() => null);
      if (reached) {
        const { broker, relay, listening, rpcServer } = reached;
        await rpcServer[Symbol.asyncDispose]();
        await listening[Symbol.asyncDispose]();
        await relay[Symbol.asyncDispose]();
        await broker[Symbol.asyncDispose]();
      }
      await database[Symbol.asyncDispose]();
      log.info('stopped');
    },
  };
}
