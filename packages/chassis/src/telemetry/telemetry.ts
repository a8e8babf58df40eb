import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import { ParentBasedSampler, type SpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { perProgram } from '../async/per-program.ts';
import { carryingTracer } from './carrying-tracer.ts';
import { resourceOf } from './resource.ts';
import { skipIdleJobs } from './skip-idle-jobs.ts';

export interface TelemetryOptions {
  readonly service: string;
  readonly resource?: Resource;
  /** Share of new traces that are recorded, 0 to 1; a caller's decision is followed. */
  readonly ratio?: number;
  /** They receive finished spans. Without any, traces are propagated and not recorded. */
  readonly processors?: SpanProcessor[];
}

const tracing = perProgram((): { tracer: Tracer | null } => ({ tracer: null }));

export const currentTracer = (): Tracer => tracing().tracer ?? trace.getTracer('corner');

/**
 * Starts tracing in this program: W3C propagation, OTLP over HTTP. Spans are made by hand at entry points and statements: no
 * instrumentation. `stop` sends the waiting spans, and ends tracing.
 */
export function startTelemetry(options: TelemetryOptions): { stop(): Promise<void> } {
  const own = tracing();
  const end = (tracer: Tracer) => {
    if (own.tracer === tracer) own.tracer = null;
  };
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const sampler = new TraceIdRatioBasedSampler(options.ratio ?? 1);
  const processors = options.processors ?? [];
  if (processors.length === 0) {
    const tracer = carryingTracer(sampler);
    own.tracer = tracer;
    return { stop: async () => end(tracer) };
  }
  const provider = new TracerProvider({
    resource: options.resource ?? resourceOf(options),
    sampler: new ParentBasedSampler({ root: sampler }),
    spanProcessors: processors.map(skipIdleJobs),
  });
  const tracer = provider.getTracer('corner');
  own.tracer = tracer;
  return {
    async stop() {
      end(tracer);
      await provider.shutdown();
    },
  };
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** The trace to continue, from {@link continuing}; the active one when absent. */
  readonly parent?: Context;
  readonly links?: Link[];
}

export interface OpenSpan {
  readonly span: Span;
  run<T>(work: () => T): T;
  fail(error: unknown): void;
  end(): void;
}

export function openSpan(name: string, options: SpanOptions): OpenSpan {
  const parent = options.parent ?? context.active();
  const span = currentTracer().startSpan(
    name,
    { kind: options.kind ?? SpanKind.INTERNAL, attributes: options.attributes ?? {}, links: options.links ?? [] },
    parent,
  );
  const active = trace.setSpan(parent, span);
  return {
    span,
    run: (work) => context.with(active, work),
    fail: (error) => markFailed(span, error),
    end: () => span.end(),
  };
}

function markFailed(span: Span, error: unknown): void {
  const kind = error instanceof Error ? error.name : 'error';
  const known = (span as { readonly attributes?: Attributes }).attributes?.[errorType];
  if (known === undefined) span.setAttribute(errorType, kind);
  span.setStatus({ code: SpanStatusCode.ERROR, message: kind });
}

const errorType = 'error.type';

export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { span, run, fail, end } = openSpan(name, options);
  try {
    return await run(() => work(span));
  } catch (error) {
    fail(error);
    throw error;
  } finally {
    end();
  }
}

/** Returns the `traceparent` of the active span; undefined outside a trace. */
export function currentTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

export function continuing(traceparent: string | undefined): Context {
  return propagation.extract(context.active(), traceparent ? { traceparent } : {});
}

export const freshTrace = (): Context => trace.deleteSpan(context.active());

/** Returns a link to the span of a `traceparent`, for work that follows from it without continuing its trace; none without one. */
export function linkTo(traceparent: string | undefined): Link[] {
  const span = trace.getSpanContext(propagation.extract(freshTrace(), traceparent ? { traceparent } : {}));
  return span ? [{ context: span }] : [];
}

export { SpanKind, SpanStatusCode };
