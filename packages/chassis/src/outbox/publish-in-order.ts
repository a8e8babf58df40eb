import type { ServiceName } from '@corner/contracts';
import { JetStreamApiError } from '@nats-io/jetstream';
import { headers as natsHeaders } from '@nats-io/transport-node';
import type { Broker } from '../broker/broker.ts';
import { measure } from '../telemetry/metrics.ts';
import { continuing, currentTraceparent, freshTrace, inSpan, SpanKind } from '../telemetry/telemetry.ts';
import { envelopeOf, messageIdOf, type OutboxRow } from './relay-batches.ts';

/** Where an event stands in its stream. */
export interface Published {
  readonly streamSequence: number;
  readonly eventId: string;
}

/** Events under way to the broker at once. */
const window = 256;

/**
 * Publishes rows so that the stream holds them in their order, whatever fails: each says which one must stand before it,
 * so when one is refused or lost on the way, those behind it are refused as well. Answers where the last one stands, null
 * without rows; throws the first fault once nothing is under way any more.
 */
export async function publishInOrder(
  broker: Broker,
  service: ServiceName,
  rows: readonly OutboxRow[],
  republished: number,
): Promise<Published | null> {
  let last: Published | null = null;
  for (let from = 0; from < rows.length; from += window) {
    const part = rows.slice(from, from + window);
    last = await publishTogether(broker, service, part, republished).catch(async (error) => {
      if (!isOutOfPlace(error)) throw error;
      // Somebody else's message stands between ours, such as a repeat by a former leader: one by one needs no such promise.
      return await publishSingly(broker, service, part, republished);
    });
  }
  return last;
}

async function publishTogether(broker: Broker, service: ServiceName, rows: readonly OutboxRow[], republished: number) {
  const before = (i: number) => (i === 0 ? undefined : rows[i - 1]?.event_id);
  const results = await Promise.allSettled(rows.map((row, i) => publish(broker, service, row, republished, before(i))));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  const end = results.at(-1);
  return end?.status === 'fulfilled' ? end.value : null;
}

async function publishSingly(broker: Broker, service: ServiceName, rows: readonly OutboxRow[], republished: number) {
  let last: Published | null = null;
  for (const row of rows) last = await publish(broker, service, row, republished);
  return last;
}

/** The broker's "wrong last msg ID". */
const isOutOfPlace = (error: unknown): boolean => error instanceof JetStreamApiError && error.code === 10_070;

/** Answers the event's place in the stream. The broker drops a repeat of the same id within its window. */
async function publish(broker: Broker, service: ServiceName, row: OutboxRow, republished: number, after?: string): Promise<Published> {
  const parent = row.traceparent ? continuing(row.traceparent) : freshTrace();
  return await inSpan(
    `publish ${row.type}`,
    { kind: SpanKind.PRODUCER, parent, attributes: { 'messaging.message.id': row.event_id } },
    async () => {
      const { subject, envelope } = envelopeOf(service, { ...row, traceparent: currentTraceparent() ?? row.traceparent });
      const headers = natsHeaders();
      if (envelope.traceparent) headers.set('traceparent', envelope.traceparent);
      const ack = await broker.js.publish(broker.subject(subject), JSON.stringify(envelope), {
        msgID: messageIdOf(row.event_id, republished),
        ...(after ? { expect: { lastMsgID: messageIdOf(after, republished) } } : {}),
        headers,
        timeout: 2_000,
      });
      measure('messaging.client.sent.messages', 1, { 'corner.event.type': row.type });
      return { streamSequence: ack.seq, eventId: row.event_id };
    },
  );
}
