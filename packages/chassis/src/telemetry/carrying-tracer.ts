import { context, type Span, SpanKind, TraceFlags, type Tracer, trace } from '@opentelemetry/api';
import { RandomIdGenerator, type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace';

/**
 * The tracer of a process whose spans nobody takes: they are ids, to be carried on and logged, and record nothing. A caller's
 * decision is carried on as it came; of a new trace the sampler decides, for those further on who may have a collector.
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
    startActiveSpan: (name: string, ...given: unknown[]) => {
      const work = given.pop() as (span: Span) => never;
      const [options, parent = context.active()] = given as Parameters<Tracer['startSpan']> extends [string, ...infer Rest] ? Rest : never;
      const span = startSpan(name, options, parent);
      return context.with(trace.setSpan(parent, span), () => work(span));
    },
  };
}
