import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { addHealth, addMetrics, createLog, type Log, listenHttp, nameEntryPoints } from '@corner/chassis/edge';
import { type AnyOperation, operations, Problem } from '@corner/contracts';
import { SpanStatusCode } from '@opentelemetry/api';
import express from 'express';
import { refuse } from './answer.ts';
import { bodyOf, hasBody, refuseLarge, wholeBody } from './body.ts';
import { type Client, createFindClient } from './client-address.ts';
import type { GatewayConfig } from './config.ts';
import { createCors } from './cors.ts';
import { beginExchange } from './exchange.ts';
import { CallerLeft, forward } from './forward.ts';
import { guarding, guardingFor } from './guard-headers.ts';
import { headersToService } from './headers.ts';
import { type Admission, createLimits } from './limits.ts';
import { openLimits } from './open-limits.ts';
import { indexOperations } from './operation-index.ts';
import { addReference } from './reference.ts';
import { prefixes, type Route, routeOf, type Target, targetOf } from './routes.ts';
import { storeNamedBy } from './store-named.ts';
import { openUpstreams } from './upstreams.ts';

/** What a test may hold instead of the world: time, identity, where logs go, and the operations there are. */
export interface GatewayOverrides {
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly log?: Log;
  readonly contracts?: readonly AnyOperation[];
}

export interface RunningGateway extends AsyncDisposable {
  /** Base address, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Where its figures are read; null without METRICS_PORT. */
  readonly metricsUrl: string | null;
  readonly log: Log;
  /** Answers "not ready" from now on, and asks callers to take their next request elsewhere. */
  beginDraining(): void;
}

/** The figures on a port of their own: the other one is the public's. */
function metricsAlone(): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  addMetrics(app);
  return app;
}

const unlimited: Admission = { headers: {}, answered: () => {} };

/**
 * Starts the gateway and resolves when it listens. Requests under a service's prefix take a short path that express has
 * no part in; express answers the rest: health, the reference, and what there is no route for. Disposal drains.
 */
export async function startGateway(config: GatewayConfig, held: GatewayOverrides = {}): Promise<RunningGateway> {
  const log = held.log ?? createLog('gateway', config.LOG_LEVEL);
  const now = held.now ?? (() => new Date());
  const newId = held.newId ?? randomUUID;
  const contracts = held.contracts ?? operations;
  nameEntryPoints('http.route', [...prefixes, ...contracts.map(({ path }) => path)]);
  const findOperation = indexOperations(contracts);
  const findClient = createFindClient(config.TRUSTED_PROXIES);
  const cors = createCors(config.CORS_ORIGINS, contracts);
  const shared = await openLimits(config, log, () => now().getTime());
  const admit = createLimits(() => now().getTime(), shared);
  const upstreams = openUpstreams(
    { orders: config.ORDERS_URL, loyalty: config.LOYALTY_URL, queue: config.QUEUE_URL, notifications: config.NOTIFICATIONS_URL },
    config.UPSTREAM_TIMEOUT_MS,
  );
  let draining = false;

  const app = express();
  app.disable('x-powered-by');
  app.get('/readyz', async (_request, _response, next) => {
    await upstreams.probe();
    next();
  });
  addHealth(app, {
    service: 'gateway',
    draining: () => draining,
    needs: {},
    // A service that is away takes its own operations with it, not the others': no reason to turn traffic away here.
    notes: {
      ...Object.fromEntries(Object.values(upstreams.of).map((upstream) => [upstream.service, () => upstream.fault])),
      ...(shared ? { limits: () => shared.fault } : {}),
    },
  });
  addReference(app, { contracts, log, newId, tokensFile: config.DOCS_TOKENS_FILE });

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    { route, target, client, edge }: { route: Route; target: Target; client: Client; edge: Readonly<Record<string, string>> },
  ): Promise<void> {
    const operation = route.kind === 'webhook' ? undefined : findOperation(request.method, target.pathname);
    const exchange = beginExchange(request, response, { route: operation?.path ?? route.prefix, log, newId });
    if (draining) response.shouldKeepAlive = false;
    let added = edge;
    const answerRefusal = (problem: Problem): void => {
      exchange.refused(problem.code);
      refuse(request, response, problem, exchange.requestId, added);
    };
    try {
      const most = route.kind === 'webhook' ? config.WEBHOOK_MAX_BODY_BYTES : config.MAX_BODY_BYTES;
      refuseLarge(request, most);
      const byStore = operation?.limits?.some(({ by }) => by === 'address+store') ?? false;
      const body = !hasBody(request) ? null : byStore ? await wholeBody(request, most) : bodyOf(request, most);
      const limited = config.RATE_LIMITS === 'enforced' && route.kind === 'operations';
      const admission = limited
        ? await admit({
            operation,
            authorization: request.headers.authorization,
            address: client.address,
            storeId: byStore ? storeNamedBy(target, Buffer.isBuffer(body) ? body : null) : undefined,
          })
        : unlimited;
      // Whoever left while its limits were asked for is no longer listened to.
      if (response.destroyed) return;
      added = { ...edge, ...admission.headers };
      const headers = headersToService(request, client, exchange.requestId);
      const call = exchange.callService(route.service, headers);
      forward({
        request,
        response,
        upstream: upstreams.of[route.service],
        path: target.path,
        headers,
        body,
        timeoutMs: config.UPSTREAM_TIMEOUT_MS,
        added: { ...added, 'X-Request-Id': exchange.requestId },
        answered(status, replayed) {
          call.setAttribute('http.response.status_code', status);
          admission.answered(status, replayed);
        },
        over(fault) {
          // Nobody knows how it would have ended: else leaving early would be a way to guess without being counted.
          if (fault instanceof CallerLeft && !response.headersSent) admission.answered(499, false);
          if (fault !== undefined)
            call.setStatus({ code: SpanStatusCode.ERROR, message: fault instanceof Error ? fault.name : String(fault) });
          call.end();
        },
        refuse(problem) {
          if (problem.status >= 500) exchange.failed(problem.cause, problem.code);
          answerRefusal(problem);
        },
      });
    } catch (error) {
      if (error instanceof Problem) return answerRefusal(error);
      // The caller left while its body was being read: nobody is there to answer.
      if (request.errored) return;
      exchange.failed(error, 'INTERNAL');
      answerRefusal(new Problem('INTERNAL'));
    }
  }

  const listener: RequestListener = (request, response) => {
    const target = targetOf(request.url ?? '/');
    const route = routeOf(target.pathname);
    const client = findClient(request);
    const edge = { ...guardingFor(request, client), ...cors.headersFor(request) };
    const preflight = cors.preflight(request);
    if (preflight) response.writeHead(204, { ...edge, ...preflight }).end();
    else if (route) void serve(request, response, { route, target, client, edge });
    else app(request, response.setHeaders(new Map(Object.entries(edge))));
  };
  const server = await listenHttp(listener, {
    host: config.HOST,
    port: config.PORT,
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    keepAliveMs: config.KEEP_ALIVE_TIMEOUT_MS,
    headers: guarding,
    newId,
  });
  const operatorsDoor =
    config.METRICS_PORT === undefined ? null : await listenHttp(metricsAlone(), { host: config.HOST, port: config.METRICS_PORT });
  log.info({ port: server.port, ...(operatorsDoor ? { metrics_port: operatorsDoor.port } : {}) }, 'listening');

  return {
    url: server.url,
    port: server.port,
    metricsUrl: operatorsDoor ? `${operatorsDoor.url}/metrics` : null,
    log,
    beginDraining() {
      draining = true;
    },
    async [Symbol.asyncDispose]() {
      draining = true;
      await server.drain();
      await operatorsDoor?.drain();
      await upstreams[Symbol.asyncDispose]();
      await shared?.[Symbol.asyncDispose]();
      log.info('stopped');
    },
  };
}
