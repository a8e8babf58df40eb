import { setTimeout as pause } from 'node:timers/promises';
import type { Producer, ServiceName } from '@corner/contracts';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { backoffMs } from '../async/backoff.ts';
import type { Broker } from '../broker/broker.ts';
import { holdConsumerLease } from './consumer-lease.ts';
import { resumeConsumer } from './durable-consumer.ts';
import type { InboxOptions } from './inbox.ts';
import { createPartitions, type Partitions } from './partitions.ts';

export interface ConsumerOptions<Context> extends InboxOptions<Context> {
  readonly service: ServiceName;
  readonly broker: Broker;
  readonly databaseUrl: string;
}

/** Hears the events of every teller that one of the service's reactions names. */
export interface Consumers extends AsyncDisposable {
  readonly state: { readonly lagging: boolean; readonly heard: number };
}

/** Starts one durable pull consumer for each teller, on one replica at a time. It ends only by disposal: every fault is waited out. */
export function startConsumers<Context>(options: ConsumerOptions<Context>): Consumers {
  const stop = new AbortController();
  const state = { lagging: false, heard: 0 };
  const producers = [...new Set<Producer>(Object.values(options.eventHandlers).flatMap(({ event }) => event.producers))];
  const running =
    producers.length === 0
      ? Promise.resolve()
      : holdConsumerLease(options, stop.signal, async (over) => {
          await Promise.all(producers.map((producer) => keepPulling(options, producer, state, over)));
        });
  return {
    state,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** Milliseconds a pull waits for events. */
const pullMs = 2_000;

async function keepPulling<Context>(
  options: ConsumerOptions<Context>,
  producer: Producer,
  state: Partitions['state'],
  stopped: AbortSignal,
): Promise<void> {
  const { broker, service, log } = options;
  for (let faults = 0; !stopped.aborted; ) {
    const partitions = createPartitions(options, stopped, state);
    try {
      partitions.suspectUntil(await resumeConsumer(broker, service, producer));
      const consumer = await broker.js.consumers.get(broker.streamOf(producer), service);
      const place = { next: 0 };
      while (!stopped.aborted) {
        await partitions.room();
        // Short pulls: after the broker has been away or has lost the consumer, the next one finds out.
        const messages = await consumer.fetch({ max_messages: 256, expires: pullMs });
        const count = await hand(messages, partitions, place, stopped);
        if (count === 0 && !stopped.aborted) await consumer.info();
        faults = 0;
      }
    } catch (error) {
      if (!stopped.aborted) {
        log.warn({ err: error, producer }, 'cannot pull events: trying again');
        await pause(backoffMs(faults++), undefined, { signal: stopped }).catch(() => {});
      }
    } finally {
      // What is in hand is done before the consumer is set back.
      await partitions.finish();
    }
  }
}

async function hand(messages: ConsumerMessages, partitions: Partitions, place: { next: number }, stopped: AbortSignal): Promise<number> {
  const close = () => void messages.close();
  stopped.addEventListener('abort', close, { once: true });
  // A pull ends by itself within its time; one that does not has lost its broker without noticing.
  const overdue = setTimeout(close, 2 * pullMs);
  let count = 0;
  try {
    for await (const message of messages) {
      const { deliverySequence } = message.info;
      if (place.next !== 0 && deliverySequence !== place.next) throw new Error('a delivery was lost on its way: reading again from there');
      place.next = deliverySequence + 1;
      partitions.add(message as JsMsg);
      count += 1;
    }
  } finally {
    clearTimeout(overdue);
    stopped.removeEventListener('abort', close);
  }
  return count;
}
