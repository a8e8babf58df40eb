import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Broker, beginConnecting, createCall, RpcUnavailable } from '@corner/chassis/calls';
import { addHealth, beginRequest, createLog, type Log, listenForMetrics, listenHttp, runningVersion } from '@corner/chassis/edge';
import { consoleUser, Problem } from '@corner/contracts';
import type { Platform } from '@corner/nats';
import express from 'express';
import type { ConsoleConfig } from './config.ts';
import { forwardOperations } from './forwarding/forward-operations.ts';
import { createApi } from './http/api.ts';
import { refuseForeignOrigins, setSecurityHeaders } from './http/protect-pages.ts';
import { sendProblems } from './http/send-problems.ts';
import { addLive } from './live/add-live.ts';
import { createChangeMemory } from './live/change-memory.ts';
import { readStreams } from './live/read-streams.ts';
import { addDeadLetters } from './operator/add-dead-letters.ts';
import { addMessages } from './operator/add-messages.ts';
import { addStories } from './operator/add-stories.ts';
import { addStreams } from './operator/add-streams.ts';
import { addSystem } from './operator/add-system.ts';
import { createConsumerReader } from './operator/consumer-reader.ts';
import { addFigures } from './operator/figures.ts';
import { maskText } from './operator/mask.ts';
import { addPages } from './pages/add-pages.ts';
import { addMe } from './people/me.ts';
import { createStoreNames } from './people/store-names.ts';
import { addSandbox } from './sandbox/add-sandbox.ts';
import { addSignIn } from './sessions/add-sign-in.ts';
import { createIdentifyPerson } from './sessions/person.ts';
import { createProvider } from './sessions/provider.ts';
import { createSessions } from './sessions/sessions.ts';
import { addMoney } from './shop/add-money.ts';

/** Starts the console and resolves when it listens. It serves while NATS, the gateway and the sign-in provider are away. Disposal drains. */
export async function startConsole(config: ConsoleConfig, overrides: Overrides = {}): Promise<RunningConsole> {
  const { now = () => new Date(), newId = randomUUID } = overrides;
  const log = overrides.log ?? createLog('console', config.LOG_LEVEL);
  const origin = config.CONSOLE_URL;
  const keys = config.CONSOLE_SESSION_KEYS;
  const provider = createProvider(config);
  const identify = createIdentifyPerson({
    issuer: config.AUTH_ISSUER,
    audience: config.AUTH_AUDIENCE,
    keys: config.AUTH_JWKS_URL,
    subjectClaim: config.AUTH_SUBJECT_CLAIM,
    now,
  });
  const sessions = createSessions({ keys, identify, provider, now });
  const broker = beginConnecting({ login: config, namespace: config.NATS_NAMESPACE, name: 'console', log });
  const memory = createChangeMemory();
  const reading = readStreams({ connection: broker, memory, log, now });
  const platform = createPlatform(broker.current, config.RPC_DEADLINE_FACTOR);
  const stop = new AbortController();
  let draining = false;

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.TRUSTED_PROXIES);
  app.use(setSecurityHeaders());
  addHealth(app, {
    service: 'console',
    draining: () => draining,
    needs: {},
    // Without one of these some pages say what is missing, and the others work.
    notes: {
      nats: () => (broker.current()?.isConnected() ? null : 'not connected: pages of operators and live changes wait'),
      provider: () => provider.fault,
    },
  });
  app.use(beginRequest({ log, newId }));
  app.use(refuseForeignOrigins(origin));
  addSignIn(app, { origin, keys, provider, sessions, log, now });
  const forwarding = forwardOperations(app, {
    gatewayUrl: config.GATEWAY_URL,
    timeoutMs: config.GATEWAY_TIMEOUT_MS,
    sessions,
    now,
    stopping: stop.signal,
  });
  app.use('/api', express.json({ limit: '16kb' }));
  const api = createApi(app, sessions);
  addMe(api, {
    storeNames: createStoreNames(config.GATEWAY_URL, now),
    development: (config.MESSAGES_SIMULATOR_URL ?? config.PAYMENTS_SIMULATOR_URL) !== undefined,
  });
  addStories(api, platform);
  addDeadLetters(api, platform);
  const readConsumer = createConsumerReader(broker.current, now);
  addStreams(api, { platform, broker: broker.current, readConsumer, now });
  addSystem(api, {
    platform,
    health: config.CONSOLE_HEALTH,
    startedAt: now(),
    version: runningVersion(config.OTEL_RESOURCE_ATTRIBUTES, join(import.meta.dirname, '..')),
  });
  addMessages(api, platform);
  addMoney(api, platform);
  const figures = addFigures(api, { memory, readConsumer, now });
  addSandbox(api, {
    payments: config.PAYMENTS_SIMULATOR_URL,
    messages: config.MESSAGES_SIMULATOR_URL,
    gatewayUrl: config.GATEWAY_URL,
  });
  addLive(api, { memory, now, stopping: stop.signal });
  addPages(app, config.CONSOLE_PAGES);
  app.use(() => {
    throw new Problem('ROUTE_NOT_FOUND');
  });
  app.use(sendProblems(log));

  const server = await listenHttp(app, { host: config.HOST, port: config.PORT, fd: config.PORT_FD, newId });
  const metricsServer = await listenForMetrics(config);
  log.info({ port: server.port, ...(metricsServer ? { metrics_port: metricsServer.port } : {}) }, 'listening');

  return {
    url: server.url,
    port: server.port,
    log,
    beginDraining() {
      draining = true;
    },
    async [Symbol.asyncDispose]() {
      draining = true;
      stop.abort();
      await server.drain();
      await metricsServer?.drain();
      await forwarding[Symbol.asyncDispose]();
      figures[Symbol.dispose]();
      broker.giveUpWaiting();
      await reading[Symbol.asyncDispose]();
      await broker[Symbol.asyncDispose]();
      log.info('stopped');
    },
  };
}

/** What a test may replace: time, ids and the log. */
export interface Overrides {
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly log?: Log;
}

export interface RunningConsole extends AsyncDisposable {
  /** The base address, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly log: Log;
  /** From now on `/readyz` is "not ready". */
  beginDraining(): void;
}

/** Reaches the services as the operator `console`, who names the person in the calls that are recorded. */
export const createPlatform = (broker: () => Broker | null, deadlineFactor: number): Platform => ({
  call: createCall(broker, deadlineFactor, consoleUser),
  whyNot(error) {
    if (error instanceof RpcUnavailable) return 'it did not reply in time';
    if (error instanceof Problem) return maskText(error.message);
    throw error;
  },
});
