import type { Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace';

export const jobAttribute = 'corner.job';
export const rowsAttribute = 'db.response.returned_rows';

/**
 * Keeps a job's spans from `next` until the run has found something to do: rows, a call or a failure. Idle runs are dropped; they would be
 * nearly all traces.
 */
export function skipIdleJobs(next: SpanProcessor): SpanProcessor {
  const waiting = new Map<string, ReadableSpan[]>();
  return {
    onStart(span: Span, parent: Context) {
      if (span.attributes[jobAttribute] !== undefined && span.parentSpanContext === undefined) waiting.set(span.spanContext().traceId, []);
      next.onStart(span, parent);
    },
    onEnd(span) {
      const { traceId } = span.spanContext();
      const kept = waiting.get(traceId);
      if (!kept) return next.onEnd(span);
      const isJob = span.attributes[jobAttribute] !== undefined;
      if (isJob || foundSomething(span)) waiting.delete(traceId);
      if (!foundSomething(span)) {
        if (!isJob) kept.push(span);
        return;
      }
      for (const each of kept) next.onEnd(each);
      next.onEnd(span);
    },
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  };
}

/** SpanStatusCode.ERROR. */
const failed = 2;

function foundSomething({ attributes, status }: ReadableSpan): boolean {
  if (status.code === failed) return true;
  if (attributes[jobAttribute] !== undefined) return false;
  return attributes['db.system.name'] === undefined || Number(attributes[rowsAttribute] ?? 0) > 0;
}
