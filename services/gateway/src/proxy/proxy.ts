import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  hasBody,
  type Log,
  mayFollow,
  peerAttributes,
  readBody,
  refuseLargeBody,
  type StreamLimits,
  visiblePath,
} from '@corner/chassis/edge';
import { type AnyOperation, type FindOperation, maxPictureBytes, Problem, type RateLimit, type Route } from '@corner/contracts';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import type { GatewayConfig } from '../config.ts';
import type { Client } from '../http/client-address.ts';
import { beginRequestTelemetry, type RequestTelemetry } from '../http/request-telemetry.ts';
import { sendProblem } from '../http/send-problem.ts';
import type { Admission, Admit } from '../limits/rate-limits.ts';
import { requestedClient, requestedStore } from '../limits/requested-store.ts';
import type { Target } from '../routing/routes.ts';
import type { Followed } from './canary.ts';
import { CallerLeft } from './faults.ts';
import { type Forwarding, forward } from './forward.ts';
import { headersToService } from './forwarded-headers.ts';
import { isRepeatable } from './repeat.ts';
import type { Upstream } from './replicas.ts';
import type { Upstreams } from './upstreams.ts';

/**
 * Returns the function that proxies one request: it checks the body's size and the rate limits, reads the body, and forwards the request to
 * its service. So a slow sender holds no connection to a service. The limits come before reading where none counts by a field of the body,
 * because refusing costs less. The caller may leave at any step.
 */
export const createProxy =
  (options: ProxyOptions): ProxyRequest =>
  async (request, response, routed) => {
    if (options.draining()) response.shouldKeepAlive = false;
    const proxied = beginProxied(options, request, response, routed);
    try {
      await proxyRequest(options, proxied);
    } catch (error) {
      if (error instanceof Problem) return refuse(proxied, error);
      if (request.errored) return;
      proxied.telemetry.failed(error, 'INTERNAL');
      refuse(proxied, new Problem('INTERNAL'));
    }
  };

function beginProxied(
  { findOperation, log, newId }: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
  routed: Routed,
): Proxied {
  const { route, target, edgeHeaders } = routed;
  const operation = route.kind !== 'operations' ? undefined : findOperation(request.method, target.pathname);
  const template = operation?.path ?? route.prefix;
  const path = visiblePath(template, target.pathname);
  const telemetry = beginRequestTelemetry(request, response, { route: template, path, log, newId });
  return { request, response, routed, operation, path, telemetry, headersToAdd: edgeHeaders };
}

async function proxyRequest(options: ProxyOptions, proxied: Proxied): Promise<void> {
  const { request, response, routed, operation } = proxied;
  const maxBytes = maxBytesOf(routed.route.kind, options.config);
  refuseLargeBody(request, maxBytes);
  const counts = (by: RateLimit['by']) => operation?.limits?.some((limit) => limit.by === by) ?? false;
  const [needsStore, needsClient] = [counts('address+store'), counts('address+client')];
  const repeatable = isRepeatable(request, operation, hasBody(request));
  const read = async () => (hasBody(request) ? await readBody(request, maxBytes) : null);
  const named = needsStore || needsClient ? await read() : null;
  const storeId = needsStore ? requestedStore(routed.target, named) : undefined;
  const clientId = needsClient ? requestedClient(request.headers.authorization, named) : undefined;
  const admission = await admitRequest(options, proxied, { storeId, clientId });
  proxied.headersToAdd = { ...routed.edgeHeaders, ...admission.headers };
  const body = named ?? (await read());
  if (response.destroyed) return;
  forwardAdmitted(options, proxied, admission, { body, repeatable });
}

function maxBytesOf(kind: Route['kind'], config: GatewayConfig): number {
  if (kind === 'pictures') return maxPictureBytes;
  return kind === 'webhook' ? config.WEBHOOK_MAX_BODY_BYTES : config.MAX_BODY_BYTES;
}

async function admitRequest(
  { config, admit }: ProxyOptions,
  proxied: Proxied,
  asked: { readonly storeId: string | undefined; readonly clientId: string | undefined },
): Promise<Admission> {
  const { request, operation, routed } = proxied;
  if (config.RATE_LIMITS === 'off' || routed.route.kind === 'webhook') return unlimited;
  return await admit({ operation, authorization: request.headers.authorization, address: routed.client.address, ...asked });
}

const unlimited: Admission = { caller: null, headers: {}, settle: () => {} };

function forwardAdmitted(
  { config, upstreams, streams, stopping }: ProxyOptions,
  proxied: Proxied,
  admission: Admission,
  sent: Pick<Forwarding, 'body' | 'repeatable'>,
): void {
  const { request, response, routed, operation, path, telemetry, headersToAdd } = proxied;
  const { requestId } = telemetry;
  const { upstream, followed } = chooseVersion(upstreams, routed, sent.body);
  const isStream = operation?.live !== undefined && mayFollow(request.headers.accept);
  if (isStream) {
    const counted = streams.open({ address: routed.client.address, caller: admission.caller });
    response.once('close', () => counted[Symbol.dispose]());
  }
  const headers = headersToService(request, routed.client, requestId);
  const span = telemetry.startServiceCall(routed.route.service, headers);
  forward({
    request,
    response,
    headers,
    stopping,
    ...sent,
    upstream,
    path: routed.target.path,
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    isStream,
    headersToAdd: { ...headersToAdd, 'X-Request-Id': requestId },
    onSend(origin) {
      followed?.sent(origin);
      span.setAttributes({ ...peerAttributes(origin), 'url.full': `${origin}${path}` });
    },
    onStatus(status, replayed) {
      followed?.settled(status);
      span.setAttribute('http.response.status_code', status);
      admission.settle(status, replayed);
    },
    onEnd(fault) {
      followed?.settled(fault);
      // The outcome is unknown and counts as a failure: otherwise a caller could guess codes and leave early without being counted.
      if (fault instanceof CallerLeft && !response.headersSent) admission.settle(499, false);
      endServiceCall(span, fault);
    },
    refuse(problem) {
      if (problem.status >= 500 && problem.cause !== undefined) telemetry.failed(problem.cause, problem.code);
      refuse(proxied, problem);
    },
  });
}

/** A body is parsed only for a service with a new version on trial. */
function chooseVersion(
  { of, canary }: Upstreams,
  { route: { service }, target }: Routed,
  body: Buffer | null,
): { readonly upstream: Upstream; readonly followed: Followed | null } {
  if (canary?.service !== service) return { upstream: of.get(service) as Upstream, followed: null };
  const upstream = canary.upstreamFor(requestedStore(target, body));
  return { upstream, followed: canary.follow(upstream) };
}

function endServiceCall(span: Span, fault: unknown): void {
  if (fault !== undefined) {
    const kind = fault instanceof Error ? fault.name : String(fault);
    span.setStatus({ code: SpanStatusCode.ERROR, message: kind });
    span.setAttribute('error.type', kind);
  }
  span.end();
}

function refuse({ request, response, telemetry, headersToAdd, operation }: Proxied, problem: Problem): void {
  telemetry.refused(problem.code);
  sendProblem(request, response, problem, { requestId: telemetry.requestId, headers: headersToAdd, oauthClient: operation?.oauthClient });
}

interface ProxyOptions {
  readonly config: GatewayConfig;
  readonly findOperation: FindOperation;
  readonly admit: Admit;
  readonly upstreams: Upstreams;
  readonly streams: StreamLimits;
  readonly draining: () => boolean;
  readonly stopping: AbortSignal;
  readonly log: Log;
  readonly newId: () => string;
}

interface Proxied {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly routed: Routed;
  readonly operation: AnyOperation | undefined;
  readonly path: string;
  readonly telemetry: RequestTelemetry;
  /** Headers of every response: security and CORS, and the rate limits once they were checked. */
  headersToAdd: Readonly<Record<string, string>>;
}

interface Routed {
  readonly route: Route;
  readonly target: Target;
  readonly client: Client;
  readonly edgeHeaders: Readonly<Record<string, string>>;
}

/** Never rejects: a fault becomes the response. */
export type ProxyRequest = (request: IncomingMessage, response: ServerResponse, routed: Routed) => Promise<void>;
