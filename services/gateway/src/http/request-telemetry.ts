import type { IncomingMessage, ServerResponse } from 'node:http';
import { currentTracer, type Log, measure, onResponded, SpanKind, serverAttributes, usableRequestId } from '@corner/chassis/edge';
import type { ProblemCode, ServiceName } from '@corner/contracts';
import { type Context, propagation, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

/**
 * Begins a request's span, with the caller's usable request id and trace. When the response closes, ends it, measures and logs one line.
 */
export function beginRequestTelemetry(
  request: IncomingMessage,
  response: ServerResponse,
  { route, path, log, newId }: RequestTelemetryOptions,
): RequestTelemetry {
  const requestId = usableRequestId(String(request.headers['x-request-id'] ?? '')) ?? newId();
  const parent = propagation.extract(ROOT_CONTEXT, request.headers);
  const name = `${request.method} ${route}`;
  const attributes = { 'http.request.method': request.method ?? '', 'http.route': route };
  const serving = { ...serverAttributes(request, requestId), ...attributes, 'url.path': path };
  const span = currentTracer().startSpan(name, { kind: SpanKind.SERVER, attributes: serving }, parent);
  const ids = { request_id: requestId, trace_id: span.spanContext().traceId };
  const startedAt = performance.now();
  let refusal: ProblemCode | undefined;

  onResponded(response, (as) => {
    const status = response.statusCode;
    const isCutShort = as === 'ended' && !response.writableFinished;
    endSpan(span, status, isCutShort);
    const elapsed = performance.now() - startedAt;
    measure('http.server.request.duration', elapsed / 1000, { ...attributes, 'http.response.status_code': status });
    const ms = Math.round(elapsed * 10) / 10;
    const notes = { ...(refusal ? { code: refusal } : {}), ...(isCutShort ? { cut_short: true } : {}) };
    log.info({ operation: name, status, ms, ...notes, ...ids }, 'request');
  });

  return {
    requestId,
    startServiceCall: (service, headers) => startServiceCall(request.method ?? '', service, headers, trace.setSpan(parent, span)),
    refused(problem) {
      refusal = problem;
      span.setAttribute('corner.problem', problem);
      measure('corner.problems', 1, { 'http.route': route, 'corner.problem': problem });
    },
    failed(error, problem) {
      log.error({ err: error, problem, ...ids }, 'request failed');
    },
  };
}

function endSpan(span: Span, status: number, isCutShort: boolean): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500 || isCutShort) {
    const kind = isCutShort ? 'cut short' : String(status);
    span.setStatus({ code: SpanStatusCode.ERROR, message: kind });
    span.setAttribute('error.type', kind);
  }
  span.end();
}

/**
 * Starts the span of a call to a service and writes its trace context into `headers`. Without tracing, the caller's own context passes
 * unchanged.
 */
function startServiceCall(method: string, service: ServiceName, headers: Record<string, string | string[]>, parent: Context): Span {
  const options = { kind: SpanKind.CLIENT, attributes: { 'service.peer.name': service, 'http.request.method': method } };
  const call = currentTracer().startSpan(`${method} ${service}`, options, parent);
  const carrier: Record<string, string> = {};
  propagation.inject(trace.setSpan(parent, call), carrier);
  if (carrier.traceparent) delete headers.tracestate;
  Object.assign(headers, carrier);
  return call;
}

export interface RequestTelemetryOptions {
  readonly route: string;
  readonly path: string;
  readonly log: Log;
  readonly newId: () => string;
}

export interface RequestTelemetry {
  readonly requestId: string;
  startServiceCall(service: ServiceName, headers: Record<string, string | string[]>): Span;
  refused(problem: ProblemCode): void;
  failed(error: unknown, problem: string): void;
}
