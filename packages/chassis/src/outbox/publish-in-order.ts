import { type Incarnation, numberHeaders, type ServiceName } from '@corner/contracts';
import type { Attributes } from '@opentelemetry/api';
import { type Broker, OutOfPlace } from '../broker/broker.ts';
import { measure } from '../telemetry/metrics.ts';
import { searchAttributes } from '../telemetry/search-attributes.ts';
import { continuing, currentTraceparent, freshTrace, inSpan, SpanKind } from '../telemetry/telemetry.ts';
import { envelopeOf, type OutboxRow } from './envelope.ts';

export interface Target {
  readonly broker: Broker;
  readonly service: ServiceName;
  readonly incarnation: Incarnation;
  readonly firstNumber: number;
}

const window = 256;

/**
 * Publishes rows so that the stream holds them in order: each message names its predecessor, so the broker refuses those behind a lost one.
 * Throws the first fault once no message is under way.
 */
export async function publishInOrder(target: Target, rows: readonly OutboxRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += window) {
    const part = rows.slice(from, from + window);
    const targetOfPart = { ...target, firstNumber: target.firstNumber + from };
    await publishTogether(targetOfPart, part).catch(async (error) => {
      if (!(error instanceof OutOfPlace)) throw error;
      // Another message is between these, such as a repeat by a former leader. Sent one at a time, they keep their order unchecked.
      for (const [index, row] of part.entries()) await publish(targetOfPart, index, row);
    });
  }
}

async function publishTogether(target: Target, rows: readonly OutboxRow[]): Promise<void> {
  const results = await Promise.allSettled(rows.map((row, index) => publish(target, index, row, rows[index - 1]?.event_id)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

const producerAttributes = (service: ServiceName, row: OutboxRow): Attributes => ({
  'messaging.system': 'nats',
  'messaging.operation.name': 'publish',
  'messaging.operation.type': 'send',
  'messaging.destination.name': service.toUpperCase(),
  'messaging.message.id': row.event_id,
  'corner.event.type': row.type,
  'corner.aggregate.id': row.aggregate_id,
  ...(row.correlation_id === null ? {} : { 'corner.request.id': row.correlation_id }),
  ...searchAttributes(row, row.data),
});

/** The broker drops a repeated id, and refuses the message unless `after` is the last event in the stream. */
async function publish(
  { broker, service, incarnation, firstNumber }: Target,
  index: number,
  row: OutboxRow,
  after?: string,
): Promise<void> {
  const parent = row.traceparent ? continuing(row.traceparent) : freshTrace();
  await inSpan(`publish ${row.type}`, { kind: SpanKind.PRODUCER, parent, attributes: producerAttributes(service, row) }, async () => {
    const { subject, envelope } = envelopeOf(service, { ...row, traceparent: currentTraceparent() ?? row.traceparent });
    const headers = {
      ...(envelope.traceparent ? { traceparent: envelope.traceparent } : {}),
      [numberHeaders.incarnation]: incarnation.id,
      [numberHeaders.begins]: String(incarnation.begins),
      [numberHeaders.number]: String(firstNumber + index),
    };
    await broker.publish(broker.subject(subject), JSON.stringify(envelope), {
      msgID: row.event_id,
      ...(after ? { after } : {}),
      headers,
      timeout: 2_000,
    });
    measure('messaging.client.sent.messages', 1, { 'corner.event.type': row.type });
  });
}
