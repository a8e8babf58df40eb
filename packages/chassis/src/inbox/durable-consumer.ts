import type { Producer, ServiceName } from '@corner/contracts';
import { AckPolicy, type Consumer, DeliverPolicy, JetStreamApiError, ReplayPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Broker } from '../broker/broker.ts';

/** Milliseconds the broker waits for an acknowledgement before it delivers again. A consumer that still works asks for more time. */
const ackWaitMs = 4_000;
/** Messages before the end at which a new consumer begins. What is older and was not processed is read from its producer by number. */
const beginsBack = 10_000;

/**
 * Returns a service's durable consumer of a producer's stream, and creates it when it is missing. One that stands behind the end of its stream is
 * made anew: the stream is an older one than the consumer, and what it takes next would never be delivered.
 */
export async function findConsumer(broker: Broker, producer: Producer, service: ServiceName): Promise<Consumer> {
  const stream = broker.streamOf(producer);
  const { lastSequence } = await broker.ensureStream(producer);
  const info = await broker.jsm.consumers.info(stream, service).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === 10_014) return null; // "consumer not found"
    throw error;
  });
  const outlived = info !== null && info.delivered.stream_seq > lastSequence;
  if (outlived) await broker.jsm.consumers.delete(stream, service);
  if (info === null || outlived)
    await broker.jsm.consumers.add(stream, {
      durable_name: service,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(1, lastSequence - beginsBack),
      replay_policy: ReplayPolicy.Instant,
      ack_wait: nanos(ackWaitMs),
      // The broker never gives up: a poison event becomes a dead letter in Postgres, with its reason.
      max_deliver: -1,
      max_ack_pending: 1_000,
    });
  return await broker.js.consumers.get(stream, service);
}
