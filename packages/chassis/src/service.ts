import { type AnyOperation, heardBy, type ServiceName } from '@corner/contracts';
import type { JWTVerifyGetKey } from 'jose';
import { sql } from 'slonik';
import { z } from 'zod';
import { answerOperator, type Explain } from './answer-operator.ts';
import { type Answers, type Ask, answer, createAsk, NoAnswer, startAnswering } from './ask.ts';
import { type Broker, connectBroker } from './broker.ts';
import { createAuthenticate } from './caller.ts';
import type { ServiceConfig } from './config.ts';
import { armCrashPoint } from './crash.ts';
import { type Database, openDatabase } from './database.ts';
import type { OwnDeadLetters } from './dead-letters.ts';
import { addHealth, addMetrics } from './health.ts';
import { housekeeping } from './housekeeping.ts';
import { listenHttp } from './http-server.ts';
import { uuidv7 } from './identity.ts';
import { heardAmong } from './inbox.ts';
import { type Listening, startListening } from './listen.ts';
import { createLog, type Log } from './log.ts';
import { observeBackbone, observeDatabase } from './metrics-of-service.ts';
import { missingMigrations } from './migrations-current.ts';
import type { Operations } from './operation.ts';
import type { Reactions } from './reaction.ts';
import { keepRefusals } from './refusals.ts';
import { type Relay, startRelay } from './relay.ts';
import { type Schedules, startSchedules } from './schedules.ts';
import { serve, type Webhook } from './serve.ts';
import { createVerifyToken, signingKeys, type VerifyToken } from './verify-token.ts';

/** What the chassis gives a service to build its context from. */
export interface Platform {
  readonly database: Database;
  readonly ask: Ask;
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
  readonly reactions?: Reactions<Context>;
  readonly answers?: Answers<Context>;
  readonly schedules?: Schedules<Context>;
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
export interface Held {
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
  readonly backbone: Promise<{ readonly broker: Broker; readonly relay: Relay; readonly listening: Listening }>;
  /** Answers "not ready" from now on. */
  beginDraining(): void;
}

/** Starts a service and resolves when it listens. Disposal drains it: finish, flush, close. */
export async function startService<Context>(
  definition: ServiceDefinition<Context>,
  config: ServiceConfig,
  held: Held = {},
): Promise<RunningService<Context>> {
  if (config.NODE_ENV === 'production' && config.CRASH_AT) throw new Error('CRASH_AT is for tests: it is refused in production');
  armCrashPoint(config.CRASH_AT);
  const { name, reactions = {} } = definition;
  const now = held.now ?? (() => new Date());
  const newId = held.newId ?? uuidv7;
  const log = held.log ?? createLog(name, config.LOG_LEVEL);
  const database = await openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    ...(held.watch ? { watch: held.watch } : {}),
  });
  const observed = [observeDatabase(database)];
  let connected: { broker: Broker; ask: Ask } | null = null;
  const ask: Ask = async (question, asked) => {
    if (!connected) throw new NoAnswer(question.name);
    return await connected.ask(question, asked);
  };
  const tokens = { issuer: config.AUTH_ISSUER, keys: signingKeys(held.keys ?? config.AUTH_JWKS_URL), now };
  const authenticate = createAuthenticate({ ...tokens, audience: config.AUTH_AUDIENCE });
  const context = definition.context({ database, ask, verifyToken: createVerifyToken(tokens), log, now, newId });

  // The broker may be away: requests are served all the same, and the backbone starts when it is there.
  const stop = new AbortController();
  const backbone = (async () => {
    const broker = await connectBroker({ url: config.NATS_URL, namespace: config.NATS_NAMESPACE, name, log, stopped: stop.signal });
    connected = { broker, ask: createAsk(broker) };
    const relay = startRelay({
      service: name,
      databaseUrl: config.DATABASE_URL,
      broker,
      log,
      ...(held.relayCheckMs ? { checkMs: held.relayCheckMs } : {}),
    });
    database.onTold(relay.nudge);
    observed.push(observeBackbone(name, { broker, relay, reactions }));
    const inbox = { database, reactions, context, log, ownDeadLetters: definition.deadLetters ?? {} };
    const listening = startListening({ ...inbox, service: name, databaseUrl: config.DATABASE_URL, broker });
    const answers = [
      ...Object.values(definition.answers ?? {}),
      answer(heardBy(name), ({ event_ids }) => heardAmong(database, event_ids)),
      ...answerOperator(name, broker, inbox, definition.explain),
    ];
    const answering = startAnswering({ service: name, broker, answers, context, log });
    return { broker, relay, listening, answering };
  })();
  // Only a stop ends the waiting for a broker; whoever awaits the backbone hears of it.
  backbone.catch(() => {});
  const schedules = await startSchedules({
    database,
    schedules: { ...definition.schedules, housekeeping: housekeeping(database) } as Schedules<Context>,
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
      await schedules[Symbol.asyncDispose]();
      stop.abort();
      const reached = await backbone.catch(() => null);
      if (reached) {
        const { broker, relay, listening, answering } = reached;
        await answering[Symbol.asyncDispose]();
        await listening[Symbol.asyncDispose]();
        await relay[Symbol.asyncDispose]();
        await broker[Symbol.asyncDispose]();
      }
      await database[Symbol.asyncDispose]();
      log.info('stopped');
    },
  };
}
