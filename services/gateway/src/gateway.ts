import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import {
  type AuthenticateOptions,
  addHealth,
  createAuthenticate,
  createLog,
  createStreamLimits,
  type Log,
  listenForMetrics,
  listenHttp,
  nameEntryPoints,
  type Program,
  runningVersion,
  type StreamLimits,
} from '@corner/chassis/edge';
import { type AnyOperation, indexOperations, operations, services } from '@corner/contracts';
import express, { type Express } from 'express';
import { canaryOf, type GatewayConfig, readGatewayConfig, urlSetting } from './config.ts';
import { createFindClient } from './http/client-address.ts';
import { createCors } from './http/cors.ts';
import { securityHeaders, securityHeadersFor } from './http/security-headers.ts';
import { createRateLimits, openSharedBuckets } from './limits/rate-limits.ts';
import type { SharedBuckets } from './limits/shared-buckets.ts';
import { createProxy, type ProxyRequest } from './proxy/proxy.ts';
import { type Lookup, lookUpBySystem, openUpstreams, type Upstreams } from './proxy/upstreams.ts';
import { addReference } from './reference/add-reference.ts';
import { routeOf, routePrefixes, targetOf } from './routing/routes.ts';

/** Ten at each of the services that have streams. */
const streamsPerCaller = 30;

/** Starts the gateway and resolves when it listens. A service's paths bypass express, which serves health, the reference and 404. */
export async function startGateway(config: GatewayConfig, overrides: Overrides = {}): Promise<RunningGateway> {
  const { now = () => new Date(), newId = randomUUID, contracts = operations } = overrides;
  const log = overrides.log ?? createLog('gateway', config.LOG_LEVEL);
  nameEntryPoints('http.route', [...routePrefixes, ...contracts.map(({ path }) => path)]);
  const sharedBuckets = await openSharedBuckets(config, log, () => now().getTime());
  const urls = new Map(
    services.flatMap((name) => {
      const origins = config[urlSetting(name)];
      return origins ? [[name, origins] as const] : [];
    }),
  );
  const { lookup = lookUpBySystem, timersHeld = false } = overrides;
  const upstreams = openUpstreams(urls, { timeoutMs: config.UPSTREAM_TIMEOUT_MS, log, lookup, timersHeld, canary: canaryOf(config) });
  const streams = createStreamLimits({ max: config.MAX_STREAMS, perCaller: streamsPerCaller });
  let draining = false;
  const stop = new AbortController();
  const parts = { config, contracts, log, newId, upstreams, streams, sharedBuckets, draining: () => draining };
  const authenticate = createAuthenticate({
    issuer: config.AUTH_ISSUER,
    audience: config.AUTH_AUDIENCE,
    keys: overrides.keys ?? config.AUTH_JWKS_URL,
    subjectClaim: config.AUTH_SUBJECT_CLAIM,
    now,
  });
  const admit = createRateLimits({ now: () => now().getTime(), authenticate, shared: sharedBuckets });
  const proxy = createProxy({ ...parts, findOperation: indexOperations(contracts), admit, stopping: stop.signal });
  const server = await listen(parts, createListener(parts, proxy));
  const metricsServer = await listenForMetrics(config);
  log.info({ port: server.port, ...(metricsServer ? { metrics_port: metricsServer.port } : {}) }, 'listening');

  return {
    url: server.url,
    port: server.port,
    metricsUrl: metricsServer ? `${metricsServer.url}/metrics` : null,
    log,
    beginDraining() {
      draining = true;
    },
    async [Symbol.asyncDispose]() {
      draining = true;
      stop.abort();
      await server.drain();
      await metricsServer?.drain();
      await upstreams[Symbol.asyncDispose]();
      streams[Symbol.dispose]();
      await sharedBuckets?.[Symbol.asyncDispose]();
      log.info('stopped');
    },
  };
}

function createListener(parts: Parts, proxy: ProxyRequest): RequestListener {
  const { config, contracts, upstreams } = parts;
  const app = createApp(parts);
  const findClient = createFindClient(config.TRUSTED_PROXIES);
  const cors = createCors({ origins: config.CORS_ORIGINS, localPages: config.NODE_ENV !== 'production' }, contracts);
  return (request, response) => {
    const target = targetOf(request.url ?? '/');
    const found = routeOf(target.pathname);
    const route = found && upstreams.of.has(found.service) ? found : undefined;
    const client = findClient(request);
    const edgeHeaders = { ...securityHeadersFor(request, client, route?.kind), ...cors.headersFor(request) };
    const preflight = cors.preflight(request);
    if (preflight) response.writeHead(204, { ...edgeHeaders, ...preflight }).end();
    else if (route) void proxy(request, response, { route, target, client, edgeHeaders });
    else app(request, response.setHeaders(new Map(Object.entries(edgeHeaders))));
  };
}

function createApp({ config, contracts, log, newId, upstreams, sharedBuckets, draining }: Parts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/readyz', async (_request, _response, next) => {
    await upstreams.probe();
    next();
  });
  addHealth(app, {
    service: 'gateway',
    version: runningVersion(config.OTEL_RESOURCE_ATTRIBUTES, join(import.meta.dirname, '..')),
    draining,
    needs: {},
    // A service that is down fails only its own operations, so the gateway stays ready.
    notes: {
      ...Object.fromEntries([...upstreams.of.values()].map((upstream) => [upstream.service, () => upstream.fault])),
      ...(upstreams.canary ? { canary: () => upstreams.canary?.fault ?? null } : {}),
      ...(sharedBuckets ? { limits: () => sharedBuckets.fault } : {}),
    },
  });
  addReference(app, { contracts, log, newId, tokensFile: config.DOCS_TOKENS_FILE });
  return app;
}

const listen = ({ config, newId }: Parts, listener: RequestListener) =>
  listenHttp(listener, {
    host: config.HOST,
    port: config.PORT,
    fd: config.PORT_FD,
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    keepAliveMs: config.KEEP_ALIVE_TIMEOUT_MS,
    headers: securityHeaders,
    newId,
  });

interface Parts {
  readonly config: GatewayConfig;
  readonly contracts: readonly AnyOperation[];
  readonly log: Log;
  readonly newId: () => string;
  readonly upstreams: Upstreams;
  readonly streams: StreamLimits;
  readonly sharedBuckets: SharedBuckets | null;
  readonly draining: () => boolean;
}

export interface Overrides {
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly log?: Log;
  readonly keys?: AuthenticateOptions['keys'];
  readonly contracts?: readonly AnyOperation[];
  readonly lookup?: Lookup;
  readonly timersHeld?: boolean;
}

export interface RunningGateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly metricsUrl: string | null;
  readonly log: Log;
  /** Turns `/readyz` to "not ready"; each response then asks the caller to open a new connection for the next request. */
  beginDraining(): void;
}

export const gatewayProgram: Program<GatewayConfig, RunningGateway> = {
  name: 'gateway',
  readConfig: readGatewayConfig,
  start: startGateway,
};
