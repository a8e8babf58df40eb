import { context, type Span, SpanKind, TraceFlags, type Tracer, trace } from '@opentelemetry/api';
import { RandomIdGenerator, type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace';

/**
 * Returns a tracer for a process without a collector: its spans are ids to propagate and log. The sampler decides for new traces, because a
 * later service may have a collector.
 */
export function carryingTracer(sampler: Sampler): Tracer {
  const ids = new RandomIdGenerator();

  const startSpan: Tracer['startSpan'] = (name, options = {}, parent = context.active()) => {
    const caller = options.root ? undefined : trace.getSpanContext(parent);
    const traceId = caller?.traceId ?? ids.generateTraceId();
    const isNewSampled = () =>
      sampler.shouldSample(parent, traceId, name, options.kind ?? SpanKind.INTERNAL, options.attributes ?? {}, options.links ?? [])
        .decision === SamplingDecision.RECORD_AND_SAMPLED;
    const traceFlags = caller?.traceFlags ?? (isNewSampled() ? TraceFlags.SAMPLED : TraceFlags.NONE);
    return trace.wrapSpanContext({ ...caller, traceId, spanId: ids.generateSpanId(), traceFlags, isRemote: false });
  };

  return {
    startSpan,
    startActiveSpan: (name: string, ...args: unknown[]) => {
      const work = args.pop() as (span: Span) => never;
      const [options, parent = context.active()] = args as Parameters<Tracer['startSpan']> extends [string, ...infer Rest] ? Rest : never;
      const span = startSpan(name, options, parent);
      return context.with(trace.setSpan(parent, span), () => work(span));
    },
  };
}
