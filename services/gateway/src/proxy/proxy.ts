import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Log, peerAttributes, visiblePath } from '@corner/chassis/edge';
import { type AnyOperation, Problem } from '@corner/contracts';
import { SpanStatusCode } from '@opentelemetry/api';
import type { GatewayConfig } from '../config.ts';
import type { Client } from '../http/client-address.ts';
import { hasBody, readBody, refuseLargeBody, streamBody } from '../http/request-body.ts';
import { beginRequestTelemetry } from '../http/request-telemetry.ts';
import { sendProblem } from '../http/send-problem.ts';
import type { Admission, Admit } from '../limits/rate-limits.ts';
import { requestedStore } from '../limits/requested-store.ts';
import type { FindOperation } from '../routing/operation-index.ts';
import type { Route, Target } from '../routing/routes.ts';
import { CallerLeft } from './faults.ts';
import { eventStream, forward } from './forward.ts';
import { headersToService } from './forwarded-headers.ts';
import { isKept, isRepeatable } from './repeat.ts';
import type { Upstreams } from './upstreams.ts';

/** Returns the function that proxies one request: it checks the body's size and the rate limits, and forwards the request to its service. */
export function createProxy({ config, findOperation, admit, upstreams, draining, stopping, log, newId }: ProxyOptions): Proxy {
  const maxBytesFor = ({ kind }: Route) => (kind === 'webhook' ? config.WEBHOOK_MAX_BODY_BYTES : config.MAX_BODY_BYTES);

  const admitRequest = async (request: IncomingMessage, { route, client, operation, storeId }: Admittance): Promise<Admission> => {
    if (config.RATE_LIMITS === 'off' || route.kind === 'webhook') return unlimited;
    return await admit({ operation, authorization: request.headers.authorization, address: client.address, storeId });
  };

  return async (request, response, { route, target, client, edgeHeaders }) => {
    const operation = route.kind !== 'operations' ? undefined : findOperation(request.method, target.pathname);
    const template = operation?.path ?? route.prefix;
    const path = visiblePath(template, target.pathname);
    const telemetry = beginRequestTelemetry(request, response, { route: template, path, log, newId });
    const { requestId } = telemetry;
    if (draining()) response.shouldKeepAlive = false;
    let headersToAdd = edgeHeaders;
    const refuse = (problem: Problem): void => {
      telemetry.refused(problem.code);
      sendProblem(request, response, problem, { requestId, headers: headersToAdd });
    };
    try {
      const maxBytes = maxBytesFor(route);
      refuseLargeBody(request, maxBytes);
      const needsStore = operation?.limits?.some(({ by }) => by === 'address+store') ?? false;
      const repeatable = isRepeatable(request, operation, hasBody(request));
      const isRead = needsStore || (repeatable && isKept(request));
      const body = !hasBody(request) ? null : isRead ? await readBody(request, maxBytes) : streamBody(request, maxBytes);
      const storeId = needsStore ? requestedStore(target, Buffer.isBuffer(body) ? body : null) : undefined;
      const admission = await admitRequest(request, { route, client, operation, storeId });
      // The caller may have left while the limits were checked.
      if (response.destroyed) return;
      headersToAdd = { ...edgeHeaders, ...admission.headers };
      const headers = headersToService(request, client, requestId);
      const span = telemetry.startServiceCall(route.service, headers);
      forward({
        request,
        response,
        upstream: upstreams.of[route.service],
        path: target.path,
        headers,
        body,
        repeatable: repeatable && (body === null || Buffer.isBuffer(body)),
        timeoutMs: config.UPSTREAM_TIMEOUT_MS,
        isStream: operation?.live !== undefined && (request.headers.accept?.includes(eventStream) ?? false),
        stopping,
        headersToAdd: { ...headersToAdd, 'X-Request-Id': requestId },
        onSend: (origin) => void span.setAttributes({ ...peerAttributes(origin), 'url.full': `${origin}${path}` }),
        onStatus(status, replayed) {
          span.setAttribute('http.response.status_code', status);
          admission.settle(status, replayed);
        },
        onEnd(fault) {
          // The outcome is unknown and counts as a failure: otherwise a caller could guess codes and leave early without being counted.
          if (fault instanceof CallerLeft && !response.headersSent) admission.settle(499, false);
          if (fault !== undefined) {
            const kind = fault instanceof Error ? fault.name : String(fault);
            span.setStatus({ code: SpanStatusCode.ERROR, message: kind });
            span.setAttribute('error.type', kind);
          }
          span.end();
        },
        refuse(problem) {
          if (problem.status >= 500) telemetry.failed(problem.cause, problem.code);
          refuse(problem);
        },
      });
    } catch (error) {
      if (error instanceof Problem) return refuse(error);
      // The caller left while the body was being read, so no response can be sent.
      if (request.errored) return;
      telemetry.failed(error, 'INTERNAL');
      refuse(new Problem('INTERNAL'));
    }
  };
}

const unlimited: Admission = { headers: {}, settle: () => {} };

interface ProxyOptions {
  readonly config: GatewayConfig;
  readonly findOperation: FindOperation;
  readonly admit: Admit;
  readonly upstreams: Upstreams;
  readonly draining: () => boolean;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
  readonly log: Log;
  readonly newId: () => string;
}

interface Admittance {
  readonly route: Route;
  readonly client: Client;
  readonly operation: AnyOperation | undefined;
  readonly storeId: string | undefined;
}

/** Proxies one request. Never rejects: a fault becomes the response. */
type Proxy = (
  request: IncomingMessage,
  response: ServerResponse,
  routed: {
    readonly route: Route;
    readonly target: Target;
    readonly client: Client;
    /** The security and CORS headers of the response. */
    readonly edgeHeaders: Readonly<Record<string, string>>;
  },
) => Promise<void>;
