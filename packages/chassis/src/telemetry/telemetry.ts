import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { carryingTracer } from './carrying-tracer.ts';

export interface TelemetryOptions {
  readonly service: string;
  /** Base address of an OTLP/HTTP collector. Without it and without `processors` traces are carried on, and nothing is recorded. */
  readonly endpoint?: string | undefined;
  /** Share of new traces recorded; a caller's decision is followed. */
  readonly ratio?: number;
  /** For tests: where finished spans go instead. */
  readonly processors?: SpanProcessor[];
}

/**
 * Starts tracing for the process: W3C propagation, OTLP over HTTP. Spans are made by hand at the doors (request, event,
 * question, schedule, statement), so no module is hooked and starting costs next to nothing.
 */
export function startTelemetry(options: TelemetryOptions): { stop(): Promise<void> } {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const sampler = new TraceIdRatioBasedSampler(options.ratio ?? 1);
  const processors = options.processors ?? (options.endpoint ? [exporter(options.endpoint)] : []);
  if (processors.length === 0) {
    const tracer = carryingTracer(sampler);
    trace.setGlobalTracerProvider({ getTracer: () => tracer });
    return { stop: async () => {} };
  }
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.service }),
    sampler: new ParentBasedSampler({ root: sampler }),
    spanProcessors: processors,
  });
  trace.setGlobalTracerProvider(provider);
  return { stop: () => provider.shutdown() };
}

function exporter(endpoint: string): SpanProcessor {
  return new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5000 }),
    scheduledDelayMillis: 500,
  });
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** The trace to continue, as read from a carrier; without it the active one. */
  readonly parent?: Context;
  readonly links?: Link[];
}

/** Runs `work` in a span that is active for it, ends it, and marks it failed when the work throws. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const parent = options.parent ?? context.active();
  const span = trace
    .getTracer('corner')
    .startSpan(name, { kind: options.kind ?? SpanKind.INTERNAL, attributes: options.attributes ?? {}, links: options.links ?? [] }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/** The `traceparent` of the active span, to be carried on; undefined outside a trace. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The trace a carried `traceparent` names, to be continued. */
export function continuing(traceparent: string | undefined): Context {
  return propagation.extract(context.active(), traceparent ? { traceparent } : {});
}

/** A context without any span: the start of a trace of its own. */
export const freshTrace = (): Context => trace.deleteSpan(context.active());

/** A link to the span a carried `traceparent` names: for work that follows from it without continuing it. */
export function linkTo(traceparent: string | undefined): Link[] {
  const span = trace.getSpanContext(propagation.extract(freshTrace(), traceparent ? { traceparent } : {}));
  return span ? [{ context: span }] : [];
}

export { SpanKind };
