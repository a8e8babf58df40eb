import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Log, measure, onResponded, SpanKind, serverAttributes, usableRequestId } from '@corner/chassis/edge';
import type { ProblemCode, ServiceName } from '@corner/contracts';
import { propagation, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

/**
 * Begins the span of a request and takes over the caller's request id, when it is usable, and the caller's trace. When the response closes,
 * ends the span, records the duration and logs one line.
 */
export function beginRequestTelemetry(
  request: IncomingMessage,
  response: ServerResponse,
  { route, path, log, newId }: RequestTelemetryOptions,
): RequestTelemetry {
  const requestId = usableRequestId(String(request.headers['x-request-id'] ?? '')) ?? newId();
  const tracer = trace.getTracer('corner');
  const parent = propagation.extract(ROOT_CONTEXT, request.headers);
  const name = `${request.method} ${route}`;
  const attributes = { 'http.request.method': request.method ?? '', 'http.route': route };
  const serving = { ...serverAttributes(request, requestId), ...attributes, 'url.path': path };
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: serving }, parent);
  const context = trace.setSpan(parent, span);
  const ids = { request_id: requestId, trace_id: span.spanContext().traceId };
  const startedAt = performance.now();
  let refusal: ProblemCode | undefined;

  onResponded(response, (as) => {
    const status = response.statusCode;
    const cutShort = as === 'ended' && !response.writableFinished;
    span.setAttribute('http.response.status_code', status);
    if (status >= 500 || cutShort) {
      const kind = cutShort ? 'cut short' : String(status);
      span.setStatus({ code: SpanStatusCode.ERROR, message: kind });
      span.setAttribute('error.type', kind);
    }
    span.end();
    const elapsed = performance.now() - startedAt;
    measure('http.server.request.duration', elapsed / 1000, { ...attributes, 'http.response.status_code': status });
    const ms = Math.round(elapsed * 10) / 10;
    log.info(
      { operation: name, status, ms, ...(refusal ? { code: refusal } : {}), ...(cutShort ? { cut_short: true } : {}), ...ids },
      'request',
    );
  });

  return {
    requestId,
    startServiceCall(service, headers) {
      const options = { kind: SpanKind.CLIENT, attributes: { 'service.peer.name': service, 'http.request.method': request.method ?? '' } };
      const call = tracer.startSpan(`${request.method} ${service}`, options, context);
      const carrier: Record<string, string> = {};
      propagation.inject(trace.setSpan(context, call), carrier);
      // When this process does not trace, the caller's own trace context is passed on unchanged.
      if (carrier.traceparent) delete headers.tracestate;
      Object.assign(headers, carrier);
      return call;
    },
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

export interface RequestTelemetryOptions {
  /** The path template of the operation, without any id. */
  readonly route: string;
  /** The path with the ids that may be seen. */
  readonly path: string;
  readonly log: Log;
  readonly newId: () => string;
}

/** The span, metrics and log lines of one request. They end with the response. */
export interface RequestTelemetry {
  readonly requestId: string;
  /** Starts the span of the call to a service and writes its trace context into `headers`. The caller ends the span. */
  startServiceCall(service: ServiceName, headers: Record<string, string | string[]>): Span;
  /** Counts a refusal by the gateway and names its code in the request's log line. */
  refused(problem: ProblemCode): void;
  /** Logs a fault of the gateway or of a service. */
  failed(error: unknown, problem: string): void;
}
