import { withLogFields } from '../telemetry/log.ts';
import { continuing, freshTrace, linkTo, type OpenSpan, openSpan, SpanKind } from '../telemetry/telemetry.ts';
import type { IncomingEvent } from './incoming-event.ts';

/** An event that is being processed, with a span and log fields of its own. */
export interface OpenEvent extends IncomingEvent {
  /** Runs `work` in the event's span, which begins at the first call, and with its log fields. */
  readonly within: <T>(work: () => T) => T;
  fail(error: unknown): void;
  /** Ends the span, if it began. */
  end(): void;
}

/** Opens an event. A first delivery continues the producer's trace; a repeat starts a trace and links to it. */
export function openEvent({ envelope, redelivered }: IncomingEvent): OpenEvent {
  let span: OpenSpan | null = null;
  const begin = () => {
    const place = redelivered
      ? { parent: freshTrace(), links: linkTo(envelope.traceparent) }
      : { parent: continuing(envelope.traceparent) };
    const attributes = { 'messaging.message.id': envelope.id };
    return openSpan(`process ${envelope.type}`, { kind: SpanKind.CONSUMER, attributes, ...place });
  };
  const fields = {
    event_id: envelope.id,
    ...(envelope.correlationid ? { request_id: envelope.correlationid } : {}),
    ...(envelope.storeid ? { store_id: envelope.storeid } : {}),
  };
  return {
    envelope,
    redelivered,
    within(work) {
      span ??= begin();
      return span.run(() => withLogFields(fields, work));
    },
    fail: (error) => span?.fail(error),
    end() {
      span?.end();
      span = null;
    },
  };
}
