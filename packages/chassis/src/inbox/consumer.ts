import { setTimeout as pause } from 'node:timers/promises';
import { numbers, type Producer, type ServiceName } from '@corner/contracts';
import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { backoffMs } from '../async/waiting.ts';
import type { Broker } from '../broker/broker.ts';
import { findBrokerFault } from '../broker/limits.ts';
import { againMs } from '../broker/streams.ts';
import type { PostgresConnection } from '../database/postgres-connection.ts';
import type { Call } from '../rpc/call.ts';
import { withLogFields } from '../telemetry/log.ts';
import { holdConsumerLease } from './consumer-lease.ts';
import { deliveryOfMessage, type Origin } from './delivery.ts';
import { openDirectoryFeed } from './directory-snapshots.ts';
import { findConsumer } from './durable-consumer.ts';
import { type Feed, type FeedState, openFeed, type PullOutcome } from './feed.ts';
import type { ConsumeOptions, InboxOptions } from './incoming-event.ts';
import type { PartitionsState } from './partitions.ts';

export interface ConsumerOptions<Context> extends InboxOptions<Context> {
  readonly service: ServiceName;
  readonly broker: Broker;
  readonly call: Call;
  readonly postgres: PostgresConnection;
}

export interface ConsumersState extends PartitionsState {
  /** Producers whose events this replica pulls at this moment. */
  readonly pulling: Set<Producer>;
  /** Why the events of a producer cannot be pulled at this moment. */
  readonly faults: Map<Producer, string>;
  /** How complete the events of each producer are, while this replica pulls them. */
  readonly feeds: Map<Producer, FeedState>;
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
  const state: ConsumersState = { lagging: false, processed: 0, pulling: new Set(), faults: new Map(), feeds: new Map() };
  const producers = [...new Set<Producer>(Object.values(options.eventHandlers).flatMap(({ event }) => event.producers))];
  const running =
    producers.length === 0
      ? Promise.resolve()
      : withLogFields({ background: 'consumer' }, () =>
          holdConsumerLease(options, stop.signal, async (ended, lease) => {
            await Promise.all(producers.map((producer) => keepPulling({ ...options, lease }, producer, state, ended)));
          }),
        );
  return {
    state,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** Milliseconds a pull waits for events; the shorter time while something is missing. */
const pullMs = 2_000;
const shortPullMs = 1_000;

/**
 * Pulls a producer's events into its feed until `stopped`. While the broker cannot deliver them, the feed reads them from the producer. Never throws:
 * after a fault it tries again.
 */
async function keepPulling<Context>(
  options: ConsumerOptions<Context> & ConsumeOptions<Context>,
  producer: Producer,
  state: ConsumersState,
  stopped: AbortSignal,
): Promise<void> {
  const { broker, service, log } = options;
  const from: Origin = { producer, subjects: broker.subject(`${producer}.`) };
  const feedState: FeedState = { last: null, missing: 0, missingSince: null };
  const open = (common = { ...options, state, stopped }): Promise<Feed> =>
    numbers(producer) ? openFeed({ ...common, producer, feedState }) : openDirectoryFeed(common);
  state.feeds.set(producer, feedState);
  let feed: Feed | null = null;
  let consumer: Consumer | null = null;
  let pull: PullOutcome = 'nothing came';
  let lost = broker.untilLost();
  for (let faults = 0; !stopped.aborted; ) {
    if (lost.aborted) {
      // A pull that is sent meanwhile may never be answered. What the broker stored last may be gone with it.
      state.pulling.delete(producer);
      await broker.untilConnected(stopped);
      lost = broker.untilLost();
      feed?.suspectLoss();
      continue;
    }
    try {
      feed ??= await open();
      // Before the consumer is looked for, since a broker that cannot deliver may still carry the questions to the producer. A consumer that has not
      // delivered what was read then may be gone, which no pull says.
      if ((await feed.tend(pull)) > 0) consumer = null;
      await feed.partitions.room();
      consumer ??= await findConsumer(broker, producer, service);
      // Pulls are short: after the broker was away or has lost the consumer, the next pull finds out.
      const messages = await consumer.fetch({ max_messages: 256, expires: feed.isBehind() ? shortPullMs : pullMs });
      pull = (await distribute(messages, from, feed, AbortSignal.any([stopped, lost]))) > 0 ? 'events came' : 'nothing came';
      faults = 0;
      state.faults.delete(producer);
      state.pulling.add(producer);
    } catch (error) {
      [consumer, pull] = [null, 'nothing can come'];
      state.pulling.delete(producer);
      if (stopped.aborted) break;
      const { sentence: fault } = await findBrokerFault(error, () => broker.isSilent(producer));
      if (state.faults.get(producer) !== fault) log.warn({ err: error, producer, fault }, 'cannot pull events: trying again');
      state.faults.set(producer, fault);
      await pause(backoffMs(faults++, againMs), undefined, { signal: stopped }).catch(() => {});
    }
  }
  // Events in progress are finished before another replica takes up their position.
  await feed?.close().catch((error) => log.warn({ err: error, producer }, 'the position of a consumer cannot be recorded'));
  // From now on this replica knows nothing of it; another one may pull.
  state.pulling.delete(producer);
  state.faults.delete(producer);
  state.feeds.delete(producer);
}

/** Hands the messages of one pull to the feed, until it ends or `ended`, and returns how many there were. */
async function distribute(messages: ConsumerMessages, from: Origin, feed: Feed, ended: AbortSignal): Promise<number> {
  const close = () => void messages.close();
  ended.addEventListener('abort', close, { once: true });
  // A pull ends by itself in time, unless its broker is gone without notice.
  const overdue = setTimeout(close, 2 * pullMs);
  let count = 0;
  try {
    for await (const message of messages) {
      feed.take(deliveryOfMessage(message as JsMsg, from));
      count += 1;
    }
  } finally {
    clearTimeout(overdue);
    ended.removeEventListener('abort', close);
  }
  return count;
}
