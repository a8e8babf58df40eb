import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Log, measure, SpanKind, usableRequestId } from '@corner/chassis/edge';
import type { ProblemCode, ServiceName } from '@corner/contracts';
import { propagation, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Headers } from './headers.ts';

/** One request and its answer, as they are traced and logged. Ends by itself when the answer does. */
export interface Exchange {
  readonly requestId: string;
  /** Begins the call to a service: a span of its own, whose trace context is written into `headers`. */
  callService(service: ServiceName, headers: Headers): Span;
  /** Counts a refusal of our own, and names it in the log. */
  refused(problem: ProblemCode): void;
  /** Puts a fault that is ours, or a service's, into the log. */
  failed(error: unknown, problem: string): void;
}

export interface ExchangeOptions {
  /** The template of what is asked for, without any id in it. */
  readonly route: string;
  readonly log: Log;
  readonly newId: () => string;
}

/** Opens an exchange: takes over the caller's request id when it is usable, and the caller's trace. */
export function beginExchange(request: IncomingMessage, response: ServerResponse, options: ExchangeOptions): Exchange {
  const requestId = usableRequestId(String(request.headers['x-request-id'] ?? '')) ?? options.newId();
  const tracer = trace.getTracer('corner');
  const parent = propagation.extract(ROOT_CONTEXT, request.headers);
  const name = `${request.method} ${options.route}`;
  const attributes = { 'http.request.method': request.method ?? '', 'http.route': options.route };
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  const own = trace.setSpan(parent, span);
  const ids = { request_id: requestId, trace_id: span.spanContext().traceId };
  const startedAt = performance.now();
  let refusal: ProblemCode | undefined;

  response.once('close', () => {
    const status = response.statusCode;
    const cutShort = !response.writableFinished;
    span.setAttribute('http.response.status_code', status);
    if (status >= 500 || cutShort) span.setStatus({ code: SpanStatusCode.ERROR, message: cutShort ? 'cut short' : String(status) });
    span.end();
    const elapsed = performance.now() - startedAt;
    measure('http.server.request.duration', elapsed / 1000, { ...attributes, 'http.response.status_code': status });
    const ms = Math.round(elapsed * 10) / 10;
    options.log.info(
      { operation: name, status, ms, ...(refusal ? { code: refusal } : {}), ...(cutShort ? { cut_short: true } : {}), ...ids },
      'request',
    );
  });

  return {
    requestId,
    callService(service, headers) {
      const call = tracer.startSpan(
        `${request.method} ${service}`,
        { kind: SpanKind.CLIENT, attributes: { 'peer.service': service } },
        own,
      );
      const carrier: Headers = {};
      propagation.inject(trace.setSpan(own, call), carrier);
      // Without tracing in this process the caller's own context goes on as it came.
      if (carrier.traceparent) delete headers.tracestate;
      Object.assign(headers, carrier);
      return call;
    },
    refused(problem) {
      refusal = problem;
      measure('corner.problems', 1, { 'http.route': options.route, 'corner.problem': problem });
    },
    failed(error, problem) {
      options.log.error({ err: error, problem, ...ids }, 'request failed');
    },
  };
}
