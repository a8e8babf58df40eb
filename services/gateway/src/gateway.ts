import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import {
  type AuthenticateOptions,
  addHealth,
  createAuthenticate,
  createLog,
  type Log,
  listenForMetrics,
  listenHttp,
  nameEntryPoints,
  runningVersion,
} from '@corner/chassis/edge';
import { type AnyOperation, operations, type ServiceName, services } from '@corner/contracts';
import express from 'express';
import { type GatewayConfig, urlSetting } from './config.ts';
import { createFindClient } from './http/client-address.ts';
import { createCors } from './http/cors.ts';
import { securityHeaders, securityHeadersFor } from './http/security-headers.ts';
import { createRateLimits, openSharedBuckets } from './limits/rate-limits.ts';
import { createProxy } from './proxy/proxy.ts';
import { type Lookup, lookUpBySystem, openUpstreams } from './proxy/upstreams.ts';
import { addReference } from './reference/add-reference.ts';
import { indexOperations } from './routing/operation-index.ts';
import { routeOf, routePrefixes, targetOf } from './routing/routes.ts';

/**
 * Starts the gateway and resolves when it listens. A request under a service's prefix is proxied without express. Express serves the rest:
 * health, the reference, and 404 for every other path. Disposal drains.
 */
export async function startGateway(config: GatewayConfig, overrides: Overrides = {}): Promise<RunningGateway> {
  const { now = () => new Date(), newId = randomUUID, contracts = operations } = overrides;
  const log = overrides.log ?? createLog('gateway', config.LOG_LEVEL);
  nameEntryPoints('http.route', [...routePrefixes, ...contracts.map(({ path }) => path)]);
  const findClient = createFindClient(config.TRUSTED_PROXIES);
  const cors = createCors({ origins: config.CORS_ORIGINS, localPages: config.NODE_ENV !== 'production' }, contracts);
  const authenticate = createAuthenticate({
    issuer: config.AUTH_ISSUER,
    audience: config.AUTH_AUDIENCE,
    keys: overrides.keys ?? config.AUTH_JWKS_URL,
    subjectClaim: config.AUTH_SUBJECT_CLAIM,
    now,
  });
  const sharedBuckets = await openSharedBuckets(config, log, () => now().getTime());
  const upstreams = openUpstreams(
    Object.fromEntries(services.map((name) => [name, config[urlSetting(name)]])) as Record<ServiceName, string[]>,
    { timeoutMs: config.UPSTREAM_TIMEOUT_MS, log, lookup: overrides.lookup ?? lookUpBySystem },
  );
  let draining = false;
  const stop = new AbortController();

  const app = express();
  app.disable('x-powered-by');
  app.get('/readyz', async (_request, _response, next) => {
    await upstreams.probe();
    next();
  });
  addHealth(app, {
    service: 'gateway',
    version: runningVersion(config.OTEL_RESOURCE_ATTRIBUTES, join(import.meta.dirname, '..')),
    draining: () => draining,
    needs: {},
    // A service that is down makes its own operations fail and no others, so the gateway stays ready.
    notes: {
      ...Object.fromEntries(Object.values(upstreams.of).map((upstream) => [upstream.service, () => upstream.fault])),
      ...(sharedBuckets ? { limits: () => sharedBuckets.fault } : {}),
    },
  });
  addReference(app, { contracts, log, newId, tokensFile: config.DOCS_TOKENS_FILE });
  const proxy = createProxy({
    config,
    findOperation: indexOperations(contracts),
    admit: createRateLimits({ now: () => now().getTime(), authenticate, shared: sharedBuckets }),
    upstreams,
    draining: () => draining,
    stopping: stop.signal,
    log,
    newId,
  });

  const listener: RequestListener = (request, response) => {
    const target = targetOf(request.url ?? '/');
    const route = routeOf(target.pathname);
    const client = findClient(request);
    const edgeHeaders = { ...securityHeadersFor(request, client, route?.kind), ...cors.headersFor(request) };
    const preflight = cors.preflight(request);
    if (preflight) response.writeHead(204, { ...edgeHeaders, ...preflight }).end();
    else if (route) void proxy(request, response, { route, target, client, edgeHeaders });
    else app(request, response.setHeaders(new Map(Object.entries(edgeHeaders))));
  };
  const server = await listenHttp(listener, {
    host: config.HOST,
    port: config.PORT,
    fd: config.PORT_FD,
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    keepAliveMs: config.KEEP_ALIVE_TIMEOUT_MS,
    headers: securityHeaders,
    newId,
  });
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
      await sharedBuckets?.[Symbol.asyncDispose]();
      log.info('stopped');
    },
  };
}

/** What a test may replace: time, ids, the log, the signing keys, the contracts and DNS. */
export interface Overrides {
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly log?: Log;
  /** The keys that tokens are verified by, instead of those at AUTH_JWKS_URL. */
  readonly keys?: AuthenticateOptions['keys'];
  readonly contracts?: readonly AnyOperation[];
  /** How the names of services are looked up. */
  readonly lookup?: Lookup;
}

export interface RunningGateway extends AsyncDisposable {
  /** The base address, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Where the metrics are served; null without METRICS_PORT. */
  readonly metricsUrl: string | null;
  readonly log: Log;
  /** From now on `/readyz` is "not ready", and each response asks the caller to open a new connection for the next request. */
  beginDraining(): void;
}
