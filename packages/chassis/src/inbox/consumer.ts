import { setTimeout as pause } from 'node:timers/promises';
import type { Producer, ServiceName } from '@corner/contracts';
import { type ConsumerMessages, JetStreamApiError, JetStreamError, type JsMsg } from '@nats-io/jetstream';
import { backoffMs } from '../async/backoff.ts';
import type { Broker } from '../broker/broker.ts';
import { describeBrokerFault } from '../broker/limits.ts';
import type { PostgresConnection } from '../database/postgres-connection.ts';
import { holdConsumerLease } from './consumer-lease.ts';
import { consumerProgress } from './consumer-progress.ts';
import { resumeConsumer } from './durable-consumer.ts';
import type { InboxOptions } from './incoming-event.ts';
import { createPartitions, type Partitions, type PartitionsState } from './partitions.ts';

export interface ConsumerOptions<Context> extends InboxOptions<Context> {
  readonly service: ServiceName;
  readonly broker: Broker;
  readonly postgres: PostgresConnection;
  /** Milliseconds in which a consumer delivers nothing, although events wait, until it is made anew. */
  readonly stuckMs?: number;
}

export interface ConsumersState extends PartitionsState {
  /** Producers whose events this replica pulls at this moment. */
  readonly pulling: Set<Producer>;
  /** Why the events of a producer cannot be pulled at this moment. */
  readonly faults: Map<Producer, string>;
}

/** The consumers of every producer whose events the service handles. */
export interface Consumers extends AsyncDisposable {
  readonly state: Readonly<ConsumersState>;
}

/**
 * Starts one durable pull consumer for each producer, on one replica at a time. They end only by disposal: after a fault they try again.
 */
export function startConsumers<Context>(options: ConsumerOptions<Context>): Consumers {
  const stop = new AbortController();
  const state: ConsumersState = { lagging: false, processed: 0, pulling: new Set(), faults: new Map() };
  const producers = [...new Set<Producer>(Object.values(options.eventHandlers).flatMap(({ event }) => event.producers))];
  const running =
    producers.length === 0
      ? Promise.resolve()
      : holdConsumerLease(options, stop.signal, async (ended) => {
          await Promise.all(producers.map((producer) => keepPulling(options, producer, state, ended)));
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
  state: ConsumersState,
  stopped: AbortSignal,
): Promise<void> {
  const { broker, service, log } = options;
  const progress = consumerProgress(options.stuckMs);
  for (let faults = 0; !stopped.aborted; ) {
    const partitions = createPartitions(options, stopped, state);
    try {
      partitions.suspectUntil(await resumeConsumer(options, producer, progress));
      const consumer = await broker.js.consumers.get(broker.streamOf(producer), service);
      const expected = { deliverySequence: null };
      while (!stopped.aborted) {
        await partitions.room();
        // Pulls are short: after the broker was away or has lost the consumer, the next pull finds out.
        const messages = await consumer.fetch({ max_messages: 256, expires: pullMs });
        const count = await distribute(messages, partitions, expected, stopped);
        if (count > 0) progress.well();
        else if (!stopped.aborted) {
          const info = await consumer.info();
          progress.acknowledged(info);
          if (partitions.isBusy() || info.num_pending + info.num_ack_pending === 0) progress.well();
          else if (progress.silent()) throw new Error('events wait and the broker delivers none of them');
        }
        faults = 0;
        state.faults.delete(producer);
        state.pulling.add(producer);
      }
    } catch (error) {
      state.pulling.delete(producer);
      if (!stopped.aborted) {
        if (error instanceof JetStreamError || error instanceof JetStreamApiError) progress.silent();
        const fault = describeBrokerFault(error);
        state.faults.set(producer, fault);
        log.warn({ err: error, producer, fault }, 'cannot pull events: trying again');
        await pause(backoffMs(faults++), undefined, { signal: stopped }).catch(() => {});
      }
    } finally {
      // Events in progress are finished before the consumer is set back.
      await partitions.finish();
    }
  }
  // From now on this replica knows nothing of it; another one may pull.
  state.pulling.delete(producer);
  state.faults.delete(producer);
}

/** Hands the messages of one pull to the partitions and returns how many there were. Throws when a delivery is missing between two. */
async function distribute(
  messages: ConsumerMessages,
  partitions: Partitions,
  expected: { deliverySequence: number | null },
  stopped: AbortSignal,
): Promise<number> {
  const close = () => void messages.close();
  stopped.addEventListener('abort', close, { once: true });
  // A pull ends by itself in time, unless its broker is gone without notice.
  const overdue = setTimeout(close, 2 * pullMs);
  let count = 0;
  try {
    for await (const message of messages) {
      const { deliverySequence } = message.info;
      if (expected.deliverySequence !== null && deliverySequence !== expected.deliverySequence)
        throw new Error('a delivery was lost between the broker and here: reading again from the first unacknowledged event');
      expected.deliverySequence = deliverySequence + 1;
      partitions.add(message as JsMsg);
      count += 1;
    }
  } finally {
    clearTimeout(overdue);
    stopped.removeEventListener('abort', close);
  }
  return count;
}
