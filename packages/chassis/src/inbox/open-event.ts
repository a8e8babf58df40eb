import type { Envelope } from '@corner/contracts';
import type { Attributes } from '@opentelemetry/api';
import { withLogFields } from '../telemetry/log.ts';
import { searchAttributes } from '../telemetry/search-attributes.ts';
import { continuing, freshTrace, linkTo, type OpenSpan, openSpan, SpanKind } from '../telemetry/telemetry.ts';
import type { IncomingEvent } from './incoming-event.ts';

export interface OpenEvent extends IncomingEvent {
  readonly within: <T>(work: () => T) => T;
  /** Names the event handler, and links the span to the producers of the events that it handles in the same call. */
  handledBy(handler: string, together: readonly IncomingEvent[]): void;
  fail(error: unknown): void;
  end(): void;
}

const consumerAttributes = ({ id, source, type, subject, storeid, customerid, correlationid, data }: Envelope): Attributes => ({
  'messaging.system': 'nats',
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
  'messaging.destination.name': source.slice(1).toUpperCase(),
  'messaging.message.id': id,
  'corner.event.type': type,
  'corner.aggregate.id': subject,
  ...(correlationid ? { 'corner.request.id': correlationid } : {}),
  ...searchAttributes({ store_id: storeid, customer_id: customerid }, data),
});

/** A first delivery continues the producer's trace; a repeat starts a trace and links to it. */
export function openEvent({ envelope, redelivered }: IncomingEvent): OpenEvent {
  let span: OpenSpan | null = null;
  const begin = () => {
    const place = redelivered
      ? { parent: freshTrace(), links: linkTo(envelope.traceparent) }
      : { parent: continuing(envelope.traceparent) };
    const attributes = { ...consumerAttributes(envelope), 'corner.redelivered': redelivered };
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
    handledBy(handler, together) {
      if (!span?.span.isRecording()) return;
      span.span.setAttribute('corner.event.handler', handler);
      for (const other of together) if (other.envelope !== envelope) span.span.addLinks(linkTo(other.envelope.traceparent));
    },
    fail: (error) => span?.fail(error),
    end() {
      span?.end();
      span = null;
    },
  };
}
