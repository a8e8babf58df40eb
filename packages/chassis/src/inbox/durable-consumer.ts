import type { Producer, ServiceName } from '@corner/contracts';
import { isMissing } from '@corner/nats';
import type { Consumer } from '@nats-io/jetstream';
import type { Broker } from '../broker/broker.ts';
import { UnfitStream } from '../broker/streams.ts';

/** Returns a service's durable consumer of a producer's stream. Throws {@link UnfitStream} when it or the stream is missing. */
export async function findConsumer(broker: Broker, producer: Producer, service: ServiceName): Promise<Consumer> {
  const stream = broker.streamOf(producer);
  try {
    return await broker.js.consumers.get(stream, service);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await broker.lookAtStream(producer);
    throw UnfitStream.missing(`consumer ${service} of the stream ${stream}`);
  }
}
