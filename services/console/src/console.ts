import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beginConnecting, createCall, type NatsBroker, RpcUnavailable } from '@corner/chassis/calls';
import { addHealth, beginRequest, createLog, type Log, runningVersion } from '@corner/chassis/edge';
import { personHeader } from '@corner/console-api';
import { consoleUser, maxPictureBytes, Problem } from '@corner/contracts';
import type { Platform } from '@corner/operator';
import express, { type Express } from 'express';
import type { ConsoleConfig } from './config.ts';
import { forwardOperations } from './forwarding/forward-operations.ts';
import { type Api, createApi } from './http/api.ts';
import { refuseForeignOrigins, setSecurityHeaders } from './http/protect-pages.ts';
import { sendProblems } from './http/send-problems.ts';
import { createApp, createEnding, type Ending, type RunningServer, serveApp } from './http/serve-app.ts';
import { addLive } from './live/add-live.ts';
import { type ChangeMemory, createChangeMemory } from './live/change-memory.ts';
import { readStreams } from './live/read-streams.ts';
import { createProvider } from './openid/provider.ts';
import { addDeadLetters } from './operator/add-dead-letters.ts';
import { addMessages } from './operator/add-messages.ts';
import { addStories } from './operator/add-stories.ts';
import { addStreams } from './operator/add-streams.ts';
import { addSystem } from './operator/add-system.ts';
import { createConsumerReader } from './operator/consumer-reader.ts';
import { addFigures } from './operator/figures.ts';
import { maskText } from './operator/mask.ts';
import { addPages, builtPages } from './pages/add-pages.ts';
import { addMe } from './people/me.ts';
import { createStoreNames } from './people/store-names.ts';
import { addSignIn } from './sessions/add-sign-in.ts';
import { createIdentifyPerson } from './sessions/person.ts';
import { createRevocations, type Revocations } from './sessions/revocations.ts';
import { createSessions, longestSeconds } from './sessions/sessions.ts';
import { createTokens } from './sessions/tokens.ts';
import { addMoney } from './shop/add-money.ts';
import { addProof } from './shop/add-proof.ts';

/** Resolves when the console listens. It serves while NATS, the gateway and the sign-in provider are away. Disposal drains. */
export async function startConsole(config: ConsoleConfig, options: ConsoleOptions = {}): Promise<RunningServer> {
  const { additions = [], now = () => new Date(), newId = randomUUID, log = createLog('console', config.LOG_LEVEL) } = options;
  await using started = new AsyncDisposableStack();
  started.defer(() => log.info('stopped'));
  const broker = started.use(beginConnecting({ login: config, namespace: config.NATS_NAMESPACE, name: 'console', log }));
  const memory = createChangeMemory();
  started.use(readStreams({ connection: broker, memory, log, now }));
  const revocations = started.use(createRevocations({ connection: broker, longestMs: longestSeconds * 1000, log, now }));
  started.defer(() => broker.giveUpWaiting());
  const ending = createEnding();
  const parts: Parts = { config, log, now, newId, broker: broker.current, memory, revocations, ...ending };

  const permissions = 'camera=(self), geolocation=(), microphone=(), payment=()';
  const app = createApp(config.TRUSTED_PROXIES, setSecurityHeaders({ permissions, listed: false }));
  const { sessions, forwarding } = addEntrance(app, parts);
  started.use(forwarding);
  started.use(addAnswers(createApi(app, sessions), additions, parts));
  addPages(app, config.CONSOLE_PAGES ?? join(builtPages, 'console'));
  sendProblems(app, log, problemOf);
  return await serveApp(app, { config, log, newId, started, ending });
}

const problemOf = (cause: unknown): Problem =>
  cause instanceof RpcUnavailable
    ? new Problem('UPSTREAM_UNAVAILABLE', { message: 'The service did not reply in time.', retryAfterSeconds: 2, cause })
    : new Problem('INTERNAL', { cause });

interface Parts extends Pick<Ending, 'stopping' | 'draining'> {
  readonly config: ConsoleConfig;
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly broker: () => NatsBroker | null;
  readonly memory: ChangeMemory;
  readonly revocations: Revocations;
}

function addEntrance(app: Express, { config, log, now, newId, broker, revocations, stopping, draining }: Parts) {
  const { CONSOLE_URL: origin, CONSOLE_SESSION_KEYS: keys } = config;
  const provider = createProvider({
    issuer: config.CONSOLE_ISSUER ?? config.AUTH_ISSUER,
    clientId: config.CONSOLE_CLIENT_ID,
    clientSecret: config.CONSOLE_CLIENT_SECRET,
    scope: config.CONSOLE_SCOPE,
    redirectUri: `${origin}/sign-in/callback`,
    signedOutUri: `${origin}/`,
  });
  addHealth(app, {
    service: 'console',
    draining,
    // A session that ended before this replica started must not be accepted.
    needs: { ended_sessions: async () => (revocations.isRead ? null : 'which sessions have ended is not read yet') },
    // Without these, some pages name the fault and the others work.
    notes: {
      revocations: () => revocations.fault,
      nats: () => (broker()?.isConnected() ? null : 'not connected: pages of operators and live changes wait'),
      provider: () => provider.fault,
    },
  });
  const identify = createIdentifyPerson({
    issuer: config.AUTH_ISSUER,
    audience: config.AUTH_AUDIENCE,
    keys: config.AUTH_JWKS_URL,
    subjectClaim: config.AUTH_SUBJECT_CLAIM,
    now,
  });
  const tokens = createTokens(config, provider, newId);
  const sessions = createSessions({ keys, identify, tokens, revocations, now, newId });
  app.use(beginRequest({ log, newId }));
  app.use(refuseForeignOrigins(origin));
  addSignIn(app, { origin, keys, provider, tokens, sessions, log, now });
  const forwarding = forwardOperations(app, {
    gatewayUrl: config.GATEWAY_URL,
    timeoutMs: config.GATEWAY_TIMEOUT_MS,
    maxBodyBytes: maxPictureBytes,
    maxStreams: config.MAX_STREAMS,
    admit: async (request, response) => {
      const { token, subject, expiresAt, untilRevoked } = await sessions.of(request, response);
      const meant = request.get(personHeader);
      if (meant !== undefined && meant !== subject)
        throw new Problem('UNAUTHENTICATED', { message: 'Another person has signed in in this browser. Load the page again.' });
      return { authorization: `Bearer ${token}`, caller: subject, endsAt: expiresAt, untilRevoked };
    },
    now,
    stopping,
  });
  app.use('/api', express.json({ limit: '16kb' }));
  return { sessions, forwarding };
}

function addAnswers(api: Api, additions: readonly Addition[], { config, now, broker, memory, stopping }: Parts): Disposable {
  const platform = createPlatform(config, broker);
  const readConsumer = createConsumerReader(broker, now);
  const storeNames = createStoreNames(config.GATEWAY_URL, now);
  addMe(api, {
    storeNames,
    exchanges: config.CONSOLE_TOKENS === 'exchange',
    directory: config.SERVICES_LEFT_OUT.includes('directory'),
    shopUrl: config.SHOP_URL === undefined ? null : new URL(config.SHOP_URL).origin,
    development: additions.length > 0,
  });
  addStories(api, platform, config);
  addDeadLetters(api, platform);
  addStreams(api, { platform, broker, readConsumer, now });
  addSystem(api, {
    platform,
    health: config.CONSOLE_HEALTH,
    startedAt: now(),
    version: runningVersion(config.OTEL_RESOURCE_ATTRIBUTES, join(import.meta.dirname, '..')),
  });
  addMessages(api, platform);
  addMoney(api, platform, storeNames);
  addProof(api, config.GATEWAY_URL, now);
  for (const add of additions) add(api);
  addLive(api, { memory, now, stopping });
  return addFigures(api, { memory, readConsumer, now });
}

export type Addition = (api: Api) => void;

export interface ConsoleOptions {
  /** Routes of the program that starts the console. With any, the pages of development are shown. */
  readonly additions?: readonly Addition[];
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly log?: Log;
}

const createPlatform = (config: ConsoleConfig, broker: () => NatsBroker | null): Platform => ({
  services: config.SERVICES_LEFT_OUT,
  call: createCall(broker, config.RPC_DEADLINE_FACTOR, consoleUser),
  whyNot(error) {
    if (error instanceof RpcUnavailable) return 'it did not reply in time';
    if (error instanceof Problem) return maskText(error.message);
    throw error;
  },
});
